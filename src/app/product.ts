import { PRODUCT_NAME } from '#src/contract/config.ts'

/** As the operator calls it: the server writes the name into index.html, so it is there with the first paint and offline. */
export const PRODUCT = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? PRODUCT_NAME
