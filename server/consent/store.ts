import { sql } from 'kysely'
import { AGREEMENT_KINDS, type AgreementKind } from '#src/contract/agreement.ts'
import { type Agreed, CHOICE_KINDS, type ChoiceKind, type Consents } from '#src/contract/consent.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'

/** Who answers, when, and on what. */
export interface Answering {
  uid: string
  /** epoch ms */
  at: number
  device: string
}

/** So many entries of the log are shown. */
const SHOWN = 100

/** What a student has agreed to, and what they are asked for. */
export async function consentsOf(db: Db | Tx, uid: string): Promise<Consents> {
  const [log, inForce] = [await readConsents(db, uid), await readAllInForce(db)]
  const last = (kind: Consents['log'][number]['kind']) => log.find((each) => each.kind === kind)
  return {
    asks: inForce.filter(({ kind, version }) => {
      const own = last(kind)
      return !own?.given || own.version !== version
    }),
    on: CHOICE_KINDS.filter((kind) => last(kind)?.given),
    log: log.slice(0, SHOWN),
  }
}

/** @throws Refusal when one of these versions was never there */
export async function recordAgreed(tx: Tx, agreed: Agreed, given: boolean, who: Answering): Promise<void> {
  for (const kind of AGREEMENT_KINDS) {
    const { [kind]: version } = agreed
    if (version === undefined) continue
    if (!(await writeAgreed(tx, { kind, version, given, ...who })))
      throw new Refusal('协议有了新版本，请重新打开这个页面再试')
  }
}

/** The versions in force. */
export const readAllInForce = (db: Db | Tx) =>
  db
    .selectFrom('agreement')
    .distinctOn('kind')
    .select(['kind', 'version', 'changes'])
    .orderBy('kind', 'desc')
    .orderBy('version', 'desc')
    .execute()

/** All that a student has agreed to and taken back, the newest first. */
export const readConsents = (db: Db | Tx, uid: string) =>
  db
    .selectFrom('consent')
    .select(['kind', 'version', 'given', 'at', 'device'])
    .where('uid', '=', uid)
    .orderBy('id', 'desc')
    .execute()

interface Consent {
  uid: string
  given: boolean
  /** epoch ms */
  at: number
  device: string
}

/** @returns false: there is no such version */
export async function writeAgreed(
  db: Db | Tx,
  { uid, kind, version, given, at, device }: Consent & { kind: AgreementKind; version: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into consent (uid, kind, version, given, at, device)
    select ${uid}, kind, version, ${given}, ${at}::bigint, ${device} from agreement
    where kind = ${kind} and version = ${version} returning id`.execute(db)
  return rows.length > 0
}

/** Writes down that a choice was turned on or off; nothing where it is so already. */
export const writeChoice = async (
  db: Db | Tx,
  { uid, kind, given, at, device }: Consent & { kind: ChoiceKind },
): Promise<void> =>
  void (await sql`
    insert into consent (uid, kind, given, at, device)
    select ${uid}, ${kind}, ${given}, ${at}::bigint, ${device}
    where ${given} <> coalesce((select given from consent where uid = ${uid} and kind = ${kind} order by id desc limit 1), false)`.execute(
    db,
  ))
