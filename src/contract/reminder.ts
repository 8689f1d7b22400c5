import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { EpochMs } from './scalar.ts'

/** A browser gives this to whoever may send it messages (Web Push): an address at its maker, and keys of its own. */
export const PushSubscription = v.object({
  endpoint: v.pipe(v.string(), v.minLength(1, '推送地址有误'), v.maxLength(1024, '推送地址有误')),
  /** An uncompressed point of P-256 and 16 bytes, base64url. */
  p256dh: v.pipe(v.string(), v.regex(/^[\w-]{87}=?$/, '推送密钥有误')),
  auth: v.pipe(v.string(), v.regex(/^[\w-]{22}(==)?$/, '推送密钥有误')),
})
export type PushSubscription = v.InferOutput<typeof PushSubscription>

/** Messages to this device, for the daily reminder: its time is a setting of the record, whether a device gets it is not. */
export const reminder = {
  /** The key that a browser asks for, and the devices that are reminded. */
  state: endpoint({
    path: 'reminder/state',
    access: 'user',
    keep: 'nowhere',
    input: v.object({}),
    output: v.object({
      publicKey: v.string(),
      devices: v.array(
        v.object({
          device: v.string(),
          /** The host of the address at the browser's maker. */
          service: v.string(),
          since: EpochMs,
          current: v.boolean(),
        }),
      ),
    }),
  }),
  /** Takes the place of what this session had. It goes with the session. */
  subscribe: endpoint({
    path: 'reminder/subscribe',
    access: 'user',
    keep: 'nowhere',
    input: PushSubscription,
    output: v.null(),
  }),
  unsubscribe: endpoint({
    path: 'reminder/unsubscribe',
    access: 'user',
    keep: 'nowhere',
    input: v.object({}),
    output: v.null(),
  }),
}
