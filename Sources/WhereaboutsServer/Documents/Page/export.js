// Exports of the page: tables of crossings and days with times in UTC, and fences.

/** Lets the browser store a text as a file. */
export function download(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Stores rows as a table. A row has one value for each column: a text, a number, or nothing. */
export function downloadTable(name, columns, rows) {
  const lines = [columns, ...rows].map((row) => row.map(cell).join(","));
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  download(`${fileName(name)}.csv`, "text/csv;charset=utf-8", `\ufeff${lines.join("\r\n")}\r\n`);
}

function cell(value) {
  if (value == null) return "";
  if (typeof value === "number") return String(value);
  // A name such as =1+1 would be a formula for a spreadsheet.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function fileName(text) { return text.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80); }
