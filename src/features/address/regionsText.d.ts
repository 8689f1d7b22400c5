/** Made at build by tools/regions.ts: what `readRegions` of src/domain/address/regions.ts reads. */
declare module 'virtual:regions' {
  const text: string
  export default text
}
