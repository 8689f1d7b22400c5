/** Asking for a login. The gate only asks; the shell opens the dialog. */
let tell = (): void => {}
let wanted = ''

/** @param path of the screen that was wanted and is opened after the login; '': this one stays. */
function askFor(path: string): void {
  wanted = path
  tell()
}

export const loginRequest = {
  ask: (): void => askFor(''),
  askFor,
  /** What the last who asked wanted. */
  wanted: (): string => wanted,
  /** For the one shell that there is. */
  onAsk: (listener: () => void): void => {
    tell = listener
  },
}
