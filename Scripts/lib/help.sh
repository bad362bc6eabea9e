# The help of a script: the comment at its beginning.

# help_if_asked "$@": prints it and ends the script if the first argument asks for it. Call it before the first `cd`.
help_if_asked() {
  case ${1-} in
  -h | --help)
    sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  esac
}
