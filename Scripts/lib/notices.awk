# Prints the copyright notices at the head of C sources, each once. It reads the names of the files from standard input.
#
# Sources that a package has from others, such as BoringSSL's, state their license there and in no file of its own. Notices
# of the package's own authors are left out: the package has a file with its license. Notices that differ in the copyright
# lines alone are printed as one text, below all of these lines.
function isNotice() { return holders != "" || text ~ /waived all copyright/ }
{
  text = holders = ""
  isBlock = 0
  while ((getline line < $0) > 0) {
    isComment = isBlock || line ~ /^[ \t]*\/[\/*]/
    # The notice is one comment. Others may stand before it, and an assembler source defines its prefix there.
    if (!isComment && isNotice()) break
    if (!isComment) { text = ""; if (line ~ /^(#|[ \t\r]*$)/) continue; break }
    if (line ~ /^[ \t]*\/\*/) isBlock = 1
    isEnd = isBlock && line ~ /\*\//
    gsub(/^[ \t]*(\/\/+|\/\*+-?|\*+\/|\*+)|[ \t\r]*(\*+\/)?[ \t\r]*$/, "", line)
    if (line ~ /Copyright (\([Cc]\) )?[0-9A-Z]/) { sub(/^[ \t]+/, "", line); holders = holders line "\n" }
    else text = text line "\n"
    if (isEnd && isNotice()) break
    if (isEnd) { isBlock = 0; text = "" }
  }
  close($0)
  if (!isNotice() || holders ~ /Apple Inc\. and the/) next
  gsub(/\n\n+/, "\n\n", text)
  gsub(/^\n+|\n+$/, "", text)
  if (!(text in holdersOf)) { holdersOf[text] = ""; order[++count] = text }
  split(holders, each, "\n")
  for (i = 1; each[i] != ""; i++)
    if (!seen[text, each[i]]++) holdersOf[text] = holdersOf[text] each[i] "\n"
}
END { for (i = 1; i <= count; i++) printf "\n%s\n%s\n", holdersOf[order[i]], order[i] }
