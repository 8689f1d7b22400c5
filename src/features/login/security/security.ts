/** These screens change the account itself. All of it needs a network, so it is a part that is kept when used (tools/lazyAssets.ts). */
export { ChangeMobile } from './ChangeMobile.tsx'
export { ChangePassword } from './ChangePassword.tsx'
export { CloseAccount } from './CloseAccount.tsx'
export { Devices } from './Devices.tsx'
