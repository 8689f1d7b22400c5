import type { Fault } from './fault.ts'

const ENGINE = 'tests/offline/engine.test.ts'
const SYNC = 'tests/offline/sync.test.ts'
const PACKS = 'tests/offline/packs.test.ts'
const STORAGE = 'tests/offline/storage.test.ts'
const WRITE = 'tests/offline/write.test.ts'
const FOLD = 'tests/offline/fold.test.ts'
const SETTLE = 'tests/offline/settle.test.ts'

export const offlineFaults: Fault[] = [
  {
    breaks: 'Of a long record only the first part is ever looked at for what may be forgotten.',
    file: 'src/offline/record/lapses.ts',
    from: 'statePages(owner, READ_AT_ONCE, from)',
    to: 'statePages(owner, READ_AT_ONCE)',
    red: [
      'tests/offline/lapses.test.ts > of a long record a part is looked at each day, in pages, and the best of a whole round are kept',
    ],
  },
  {
    breaks: 'What lapsed and was answered today, here or on another device, is asked once more.',
    file: 'src/offline/record/lapses.ts',
    from: 'isUnfailed(state) && dayOf(state.lastAt) < day.today',
    to: 'dayOf(state.lastAt) <= day.today',
    red: [
      'tests/offline/lapses.test.ts > what is said to be for today is what is due and the share beside it, until it is answered',
      'tests/offline/lapsesElsewhere.test.ts > both have the same questions before them, and what lapsed on one is in the error book of the other',
    ],
  },
  {
    breaks: 'In WebKit the page of a visitor, or one that is left at once, holds the record against every later page.',
    file: 'src/offline/index.ts',
    from: '\nletGoWhenFrozen()',
    to: '\n',
    red: ['tests/offline/frozen.test.ts > the page of a visitor, and one that is left before its sync begins, let go'],
  },
  {
    breaks: 'A page that begins on a full disk never syncs what waits, and says that the sync failed.',
    file: 'src/offline/engine.ts',
    from: 'again = setTimeout(tryToBegin, BEGIN_AGAIN_MS)',
    to: '',
    red: [`${STORAGE} > at the start of a page says so, and what waits goes up by itself once there is room`],
  },
  {
    breaks: 'An answer that is saved when there is room again waits for half a minute, since the start found none.',
    file: 'src/offline/engine.ts',
    from: '(sync ? sync.wrote() : beginAgain?.())',
    to: 'sync?.wrote()',
    red: [`${STORAGE} > at the start of a page holds up no answer that is saved once there is room`],
  },
  {
    breaks: 'WebKit tells no databases on a full disk, and downloads do not go on.',
    file: 'src/offline/device/databases.ts',
    from: 'names.includes(RECORD_DB) ? names : null',
    to: 'names',
    red: ['tests/offline/databases.test.ts > nobody knows which databases there are, and lessons may be there'],
  },
  {
    breaks: 'A cache that WebKit could not make for want of room is never opened again.',
    file: 'src/offline/device/idb.ts',
    from: 'if (disposable && isThrown(error)',
    to: 'if (false && isThrown(error)',
    red: [`${STORAGE} > is deleted and made anew where all of it can be fetched again`],
  },
  {
    breaks: 'The record is deleted because it could not be opened once.',
    file: 'src/offline/device/idb.ts',
    from: 'if (disposable && isThrown(error)',
    to: 'if (isThrown(error)',
    red: [`${STORAGE} > is never deleted where a student’s work may lie in it`],
  },
  {
    breaks: 'An answer is not kept though the cache made room for it, because WebKit did not tell so.',
    file: 'src/offline/device/storage.ts',
    from: 'if (!isRoom && (isLast || !lessons)) throw error',
    to: 'if (!isRoom) throw error',
    red: [
      `${STORAGE} > for want of room makes room once, though the browser does not tell that it was there`,
      `${STORAGE} > for want of room leaves each act one more try, since another one may have made it`,
    ],
  },
  {
    breaks:
      'A page that was stopped while the making of a database was committed holds it against every later page (WebKit).',
    file: 'src/offline/device/idb.ts',
    from: 'if (!isChromium()) frost?.held()',
    to: '',
    red: ['tests/offline/frozen.test.ts > is had once the server has let that page go, which is asked for'],
  },
  {
    breaks: 'A page that was stopped while it made a database holds it against every later page (WebKit).',
    file: 'src/offline/device/idb.ts',
    from: '    frost?.asked(request)\n',
    to: '',
    red: [
      'tests/offline/frozen.test.ts > a database that is being made when the page is stopped holds up no other page, and is made when the page comes back',
      'tests/offline/frozen.test.ts > a database whose making the page has not heard of when it is stopped holds up no other page, either',
    ],
  },
  {
    breaks: 'The service worker writes behind a torn log, and what it wrote takes all databases with it.',
    file: 'src/sw/background.ts',
    from: 'if (mayWrite) await',
    to: 'await',
    red: ['tests/offline/background.test.ts > writes nothing down after a full disk'],
  },
  {
    breaks: 'A draft is deleted behind a torn log.',
    file: 'src/offline/engine.ts',
    from: 'withSpace(owner, () => record.dropDraft(owner, key), 0, true)',
    to: 'record.dropDraft(owner, key)',
    red: ['tests/offline/tornLog.test.ts > a draft is not deleted behind a tear'],
  },
  {
    breaks: 'A note written since the last sync is gone when the answer before it is taken back without a network.',
    file: 'src/offline/record/write/fold.ts',
    from: `? withAnswersOf(base, before.view) : base`,
    to: `? before.view : base`,
    red: [
      `${ENGINE} > an answer that was synced and is taken back without a network leaves what was done with its question`,
    ],
  },
  {
    breaks: 'An answer that was synced and is taken back without a network still counts on the device.',
    file: 'src/offline/record/write/fold.ts',
    from: `  const start = before && sentAlready.has(before.opId) ? withAnswersOf(base, before.view) : base`,
    to: `  const start = base`,
    red: [
      `${ENGINE} > an answer that was synced and is taken back without a network leaves what was done with its question`,
    ],
  },
  {
    breaks: 'An answer from the server that another tab has overtaken brings old states back.',
    file: 'src/offline/sync/settle.ts',
    from: `const changes = overtaken ? [] : answer.changes`,
    to: `const changes = answer.changes`,
    red: [
      `${SYNC} > an answer that another tab has overtaken takes away nothing that waits, and brings nothing old back`,
    ],
  },
  {
    breaks:
      'An overtaken answer throws away ops that another tab has brought to the server and that wait for their effect.',
    file: 'src/offline/sync/settle.ts',
    from: `? !answer.more && ops.has(op.opId)`,
    to: `? !answer.more`,
    red: [
      `${SYNC} > an answer that another tab has overtaken takes away nothing that waits, and brings nothing old back`,
    ],
  },
  {
    breaks: 'A sync that was stopped goes on to its next call.',
    file: 'src/offline/sync/drain.ts',
    from: "if (options.isStopped?.()) return settling.then(() => ({ to: 'stopped' }))",
    to: '',
    red: [
      'tests/offline/sync.test.ts > a tab that stops while many calls are due takes in what has come and makes no other',
    ],
  },
  {
    breaks: 'An answer that is too long for any call holds up all others for ever.',
    file: 'src/offline/sync/drain.ts',
    from: `      if (!sent.ops.some((op) => bytesOf(op) > SYNC_MAX_BYTES)) return failed(asked.error)`,
    to: `      return failed(asked.error)`,
    red: [`${ENGINE} > an answer that is too long for any call is set aside with its reason, and the others go up`],
  },
  {
    breaks: 'An answer of the usual size is thrown away because something on the way takes none that day.',
    file: 'src/offline/sync/drain.ts',
    from: `      if (!sent.ops.some((op) => bytesOf(op) > SYNC_MAX_BYTES)) return failed(asked.error)`,
    to: ``,
    red: [`${SYNC} > something on the way that takes not even one answer of the usual size is waited for`],
  },
  {
    breaks: 'A call that is too large for something on the way is sent again and again as it is.',
    file: 'src/offline/sync/drain.ts',
    from: `        size = Math.ceil(sent.ops.length / 2)`,
    to: `        size = sent.ops.length`,
    red: [`${SYNC} > a batch that is too large for something on the way is halved until it fits`],
  },
  {
    breaks:
      'An answer is taken in although the one before it could not be: what lies between never comes to the device.',
    file: 'src/offline/sync/settle.ts',
    from: `  if (sent.cursor > cursor) throw new StorageError('unavailable')`,
    to: ``,
    red: [`${SYNC} > and the browser throws everything away, the record begins anew from its beginning`],
  },
  {
    breaks: 'With the next answer to a chapter its points and groups are forgotten.',
    file: 'src/offline/record/sums.ts',
    from: `...apart(plus(old ? wholeOf(old) : {}, sums))`,
    to: `...apart(plus(old?.sums ?? {}, sums))`,
    red: ['tests/offline/engine.test.ts > an answer that is taken back while it and an earlier one wait'],
  },
  {
    breaks:
      'While a long record comes, a row that another tab has written meanwhile is taken for one that is not there.',
    file: 'src/offline/record/filling.ts',
    from: `return came?.owner === owner && came.cursor === cursor && came.seq === last`,
    to: `return came?.owner === owner`,
    red: [
      'tests/offline/longRecord.test.ts > what another tab has taken in between two answers of this one is counted once',
      'tests/offline/longRecord.test.ts > a student who answers meanwhile sees it at once, and has one answer more',
    ],
  },
  {
    breaks: 'When the last page of a long record has come, the figures stay as they were before it.',
    file: 'src/offline/engine.ts',
    from: `    else if (status.get().fetched !== null) status.set({ fetched: null })`,
    to: ``,
    red: ['tests/offline/longRecord.test.ts > says how much of it is here, and has screens read again once'],
  },
  {
    breaks: 'Answers that the server has taken but not yet told of are sent again with every call.',
    file: 'src/offline/sync/outbox.ts',
    from: `if (op.parked || op.acked || !isWhole(op)) continue`,
    to: `if (op.parked || !isWhole(op)) continue`,
    red: [
      'tests/offline/background.test.ts > brings what waits to the server, and the next page sends none of it again',
    ],
  },
  {
    breaks: 'A paper or an exam that is open in two tabs is handed in by both, and its answers count twice.',
    file: 'src/offline/record/write/write.ts',
    from: `if (await isRepeated(tx, owner, acts, written.draft)) return { opIds: [], touched: [] }`,
    to: ``,
    red: [`${WRITE} > what is handed in already, in another tab say, is not handed in again`],
  },
  {
    breaks: 'An exam that the server has handed in for a student cannot be handed in by its own device any more.',
    file: 'src/offline/record/write/write.ts',
    from: `return view?.kind === 'exam' && isFinal(view.body)`,
    to: `return view?.kind === 'exam' && view.body.handedAt !== null`,
    red: [`${WRITE} > an exam that the server has handed in for it`],
  },
  {
    breaks: 'What was done while its page could not write is dated by when it was written.',
    file: 'src/offline/record/write/write.ts',
    from: `const ago = act.at === undefined ? 0 : Math.max(0, now.at - act.at)`,
    to: `const ago = 0`,
    red: [`${WRITE} > as long ago as it was done`],
  },
  {
    breaks: 'The last answer to a question is the one that was written last, not the one that was given last.',
    file: 'src/offline/record/write/fold.ts',
    from: `    .sort(byDevice)\n`,
    to: ``,
    red: [`${FOLD} > what was done before the last answer, and is written after it, counts as done before it`],
  },
  {
    breaks: 'An answer that the server has refused cannot be taken back: the student is told that nothing was saved.',
    file: 'src/offline/record/write/fold.ts',
    from: `if (!base) return before`,
    to: ``,
    red: [`${FOLD} > to take back an answer that the server has refused is no error`],
  },
  {
    breaks: 'A day on which only wrong answers wait is no day of studying.',
    file: 'src/offline/record/write/fold.ts',
    from: `Object.values(pending).some(`,
    to: `Object.values(pending).every(`,
    red: [`${FOLD} > counts a wrong answer, too, that waits`],
  },
  {
    breaks: 'A collection goes by when its questions were collected first.',
    file: 'src/offline/record/write/fold.ts',
    from: `collected: Math.max(`,
    to: `collected: Math.min(`,
    red: [`${FOLD} > go by when each was last`],
  },
  {
    breaks: 'While a long record comes, answers that the server has taken vanish until the page that holds them.',
    file: 'src/offline/sync/settle.ts',
    from: `: !answer.more || (isQuestionOp(op) && bases.has(op.payload.questionNo))`,
    to: `: true`,
    red: [`${SETTLE} > while pages come, what the server has taken is shown until the page with its effect`],
  },
  {
    breaks: 'A folder that the server has refused is shown for ever.',
    file: 'src/offline/sync/settle.ts',
    from: `refoldThings(tx, owner, gone, others)`,
    to: `refoldThings(tx, owner, [], others)`,
    red: [`${SETTLE} > what is refused is shown no more, and says why`],
  },
  {
    breaks: 'A setting that is changed while an earlier change is on its way to the server jumps back.',
    file: 'src/offline/record/write/foldThings.ts',
    from: `facts.push(changesIt ? after(fact, said.word) : fact)`,
    to: `facts.push(fact)`,
    red: [`${SETTLE} > is shown, though the server dates the earlier word later`],
  },
  {
    breaks: 'An op that no call can carry takes others with it, which the server has taken and not yet told of.',
    file: 'src/offline/sync/drain.ts',
    from: `  more: true,\n`,
    to: `  more: false,\n`,
    red: ['tests/offline/drain.test.ts > and carries one op that no call need take sets it aside'],
  },
  {
    breaks: 'A download that was allowed on mobile data waits for Wi-Fi after a pause.',
    file: 'src/offline/downloads/packs/packs.ts',
    from: `anyNetwork: anyNetwork || row.anyNetwork }`,
    to: `anyNetwork }`,
    red: [`${PACKS} > one that may use mobile data may still do so when it goes on after a pause`],
  },
  {
    breaks: 'A lesson that was stalled before it was paused goes on where it was heard last, up to a second before.',
    file: 'src/features/course/lesson/watch/watcher.ts',
    from: 'this.#state = jumped(this.#state, at)',
    to: 'this.stopped()',
    red: ['tests/features/lesson/watcher.test.ts > what was stalled and is paused then'],
  },
  {
    breaks:
      'An answer without a network is remembered as most people would, whatever the student’s own memory is like.',
    file: 'src/offline/record/write/write.ts',
    from: 'act.place, model)',
    to: 'act.place)',
    red: [
      'tests/offline/memoryFit.test.ts > an answer without a network is remembered by the student’s own parameters',
    ],
  },
  {
    breaks: 'A second device deals the whole day of reviews once more.',
    file: 'src/offline/record/reviews.ts',
    from: 'told.filter((no) => !own.nos.includes(no))',
    to: 'told.slice(0, 0)',
    red: ['tests/offline/reviews.test.ts > another device of the student goes on with the day'],
  },
  {
    breaks: 'A downloaded library with formulae comes without their font.',
    file: 'src/offline/downloads/packs/packDownload.ts',
    from: `json.includes('<math')`,
    to: `json.includes('<maths')`,
    red: [`${PACKS} > asks for the font of formulae where there are some`],
  },
]
