/** The browser may read the file a while after the tap. */
const READ_MS = 60_000

/** Gives a file to the student. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_MS)
}

/** Tells whether the phone can hand this file to another app. */
export const canShare = (file: File): boolean => navigator.canShare?.({ files: [file] }) ?? false
