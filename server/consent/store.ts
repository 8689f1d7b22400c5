import { sql } from 'kysely'
import { AGREEMENT_KINDS, type AgreementKind } from '#src/contract/agreement.ts'
import { type Agreed, CHOICE_KINDS, type ChoiceKind, type Consents } from '#src/contract/consent.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'

/** It says who answers, when, and on what. */
export interface Answering {
  uid: string
  /** epoch ms */
  at: number
  device: string
}

/** So many entries of the log are shown. */
const SHOWN = 100

/** Tells what a student has agreed to, and what they are asked for. */
export async function consentsOf(db: Db | Tx, uid: string): Promise<Consents> {
  const last = new Map((await readLast(db, uid)).map((each) => [each.kind, each]))
  const inForce = await readAllInForce(db)
  return {
    asks: inForce.filter(({ kind, version }) => !last.get(kind)?.given || last.get(kind)?.version !== version),
    on: CHOICE_KINDS.filter((kind) => last.get(kind)?.given),
    log: await readLog(db, uid),
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

/** Reads the version in force of each agreement. */
const readAllInForce = (db: Db | Tx) =>
  db
    .selectFrom('agreement')
    .distinctOn('kind')
    .select(['kind', 'version', 'changes'])
    .orderBy('kind', 'desc')
    .orderBy('version', 'desc')
    .execute()

/** Reads what counts of each kind. */
const readLast = (db: Db | Tx, uid: string) =>
  db
    .selectFrom('consent')
    .distinctOn('kind')
    .select(['kind', 'version', 'given'])
    .where('uid', '=', uid)
    .orderBy('kind')
    .orderBy('id', 'desc')
    .execute()

/** Reads what a student agreed to and took back lately, the newest first. */
const readLog = (db: Db | Tx, uid: string) =>
  db
    .selectFrom('consent')
    .select(['kind', 'version', 'given', 'at', 'device'])
    .where('uid', '=', uid)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()

/** Until the transaction ends nobody else turns on or off what this student has agreed to. */
export const holdChoices = async (tx: Tx, uid: string): Promise<void> =>
  void (await tx.selectFrom('student').select('uid').where('uid', '=', uid).forNoKeyUpdate().executeTakeFirst())

interface Consent {
  uid: string
  given: boolean
  /** epoch ms */
  at: number
  device: string
}

/** @returns false: there is no such version */
async function writeAgreed(
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
