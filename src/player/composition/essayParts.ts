/** All that an essay needs besides its field comes as one file, which the device keeps. */
export { Model } from './Model.tsx'
export { Writing } from './Writing.tsx'
