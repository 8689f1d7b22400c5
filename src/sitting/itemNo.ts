import { v5 as uuidv5 } from 'uuid'

/** In an address: without dashes. */
export const toItemNo = (id: string): string => id.replaceAll('-', '')
/** An address that somebody has made up names a sitting as well: always the same one. @param of what the address is about. */
export const toSittingId = (itemNo: string, of = ''): string =>
  /^[0-9a-f]{32}$/.test(itemNo)
    ? itemNo.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : uuidv5(`${of}${itemNo}`, uuidv5.URL)
