/** Made at build by tools/passwords.ts: what `readCommon` of src/domain/app/passwords.ts reads. */
declare module 'virtual:passwords' {
  const text: string
  export default text
}
