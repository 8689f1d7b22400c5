import { boundBuffers, PING, TOO_MUCH } from '#src/domain/app/pdfBounds.ts'

// Runs in the worker, before pdf.js.
Object.assign(
  globalThis,
  boundBuffers(globalThis, () => globalThis.postMessage(TOO_MUCH)),
)
globalThis.addEventListener('message', ({ data }) => {
  if (data === PING) globalThis.postMessage(PING)
})
