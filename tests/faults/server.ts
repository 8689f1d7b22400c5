import type { Fault } from './fault.ts'

const A = 'tests/server/allowance.test.ts'
const L = 'tests/server/login.test.ts'

export const serverFaults: Fault[] = [
  {
    breaks: 'A stranger who guesses at a student’s password keeps them from logging in on their own phone.',
    file: 'server/login/guesses.ts',
    from: `isStranger: false }
  return`,
    to: `isStranger: true }
  return`,
    red: [`${L} > knows the device of an earlier login`],
  },
  {
    breaks: 'Right passwords count as guesses.',
    file: 'server/login/guesses.ts',
    from: `return () => giveBack(db, limits)`,
    to: `return () => giveBack(db, [])`,
    red: [`${L} > does not count right ones`],
  },
  {
    breaks: 'Five wrong guesses of a stranger kill the code that its owner has been sent.',
    file: 'server/login/proof.ts',
    from: `const CODE_TRIES_OF_ALL = 30`,
    to: `const CODE_TRIES_OF_ALL = 5`,
    red: [`${L} > lets a code die with the fifth wrong one for whoever guesses, not for its owner`],
  },
  {
    breaks: 'A wrong picture code uses up the picture that another looks at.',
    file: 'server/login/store.ts',
    from: `    return (await live.executeTakeFirst()) ? 'wrong' : 'gone'`,
    to: `    return (await db.deleteFrom('image_code').where('mobile', '=', mobile).returning('id').executeTakeFirst()) ? 'wrong' : 'gone'`,
    red: [`${L} > stays good whatever others type or ask for with its mobile`],
  },
  {
    breaks: 'An essay is taken as an answer to a single choice.',
    file: 'server/study/judge.ts',
    from: `  if (fact.kind === 'answer' && !isFitting(fact, question))`,
    to: `  if (fact.kind === 'retract' && !isFitting(fact as never, question))`,
    red: [`${A} > else it is refused with the reason, and the others of its batch are taken`],
  },
  {
    breaks: 'When an essay is taken back, the one before it shows without its text.',
    file: 'server/study/facts.ts',
    from: `Map.groupBy([...facts, ...added], (`,
    to: `Map.groupBy([...facts], (`,
    red: [`${A} > show the text before it again when the last one is taken back`],
  },
  {
    breaks: 'One student holds the server with as many calls at once as they have connections.',
    file: 'server/http/serve.ts',
    from: `      return turns.take(uid, work)`,
    to: `      return work()`,
    red: [`${A} > of one student are answered one after another, a few wait, and more are told to come later`],
  },
  {
    breaks: 'A student may call without end.',
    file: 'server/http/pace.ts',
    from: `    held.hits += hits`,
    to: `    held.hits += 0`,
    red: [`${A} > of one student are told to come later beyond four hundred a minute`],
  },
  {
    breaks: 'A batch that asks for thousands of questions to be folded again gets them all at once.',
    file: 'server/study/allowance.ts',
    from: `new Set(all.slice(fitting.length))`,
    to: `new Set(all.slice(all.length))`,
    red: [`${A} > is folded again a few thousand ops at a time`],
  },
  {
    breaks: 'What a student has stored on this day is not counted.',
    file: 'server/study/store.ts',
    from: `counted as (\${counting(uid, ops, now)})`,
    to: `counted as (\${counting(uid, [], now)})`,
    red: [`${A} > counts only what is stored, and each op once`],
  },
  {
    breaks: 'A note that comes late is kept beside what took its place.',
    file: 'server/study/facts.ts',
    from: `['answer', 'book', 'cause'] satisfies`,
    to: `['answer', 'book', 'cause', 'note'] satisfies`,
    red: ['tests/server/record.test.ts > a note stays replaced also when it comes after what took its place'],
  },
  {
    breaks: 'Of two sittings begun in one sync the second one is ranked.',
    file: 'server/study/store.ts',
    from: `[...new Map(heard.toReversed().map((each) => [each.exam, each])).values()]`,
    to: `[...new Map(heard.map((each) => [each.exam, each])).values()]`,
    red: [
      'tests/server/examRanking.test.ts > takes the first of two sittings that were begun in one sync',
      'tests/server/examRanking.test.ts > takes the first of two sittings that a device brings whole in one sync',
      'tests/server/examRanking.test.ts > a sitting that came in one sync with the begin of an earlier one',
    ],
  },
  {
    breaks: 'Who leaves a paper that they have seen and sits it again is ranked, when both come in one sync.',
    file: 'server/study/judgeExam.ts',
    from: `  return [...heard.values()]`,
    to: `  return [...heard.values()].toSorted((a, b) => Number(b.handed) - Number(a.handed))`,
    red: ['tests/server/examRanking.test.ts > a sitting that came in one sync with the begin of an earlier one'],
  },
  {
    breaks:
      'Of two sittings begun in one sync the one whose ops stand first in the call is ranked, not the one that was begun first.',
    file: 'server/study/parse.ts',
    from: `[...ops].sort((a, b) => a.seq - b.seq).map(parseOp)`,
    to: `ops.map(parseOp)`,
    red: ['tests/server/examRanking.test.ts > takes the first of two sittings that were begun in one sync'],
  },
  {
    breaks: 'A device with a wrong clock places an answer in another era.',
    file: 'server/study/moments.ts',
    from: `return Math.max(now - Math.max(0, sentAt - clientAt), now - OLDEST_MS)`,
    to: `return Math.min(now - Math.max(0, sentAt - clientAt), now + OLDEST_MS)`,
    red: ['tests/server/study.test.ts > an answer that says it is older than any device can be'],
  },
  {
    breaks: 'An answer that overtakes another on the wire counts as the earlier one.',
    file: 'server/study/moments.ts',
    from: `  push(chain)\n`,
    to: `  void push\n`,
    red: ['tests/server/moments.test.ts > a clock that jumps at every step'],
  },
  {
    breaks: 'An answer given while the clock was ahead counts as later than all that came after it.',
    file: 'server/study/moments.ts',
    from: `  pull(chain, sent.now)\n`,
    to: `  void pull\n`,
    red: ['tests/server/moments.test.ts > what was done before something that has arrived'],
  },
  {
    breaks: 'A clock that is put back takes the device back with it.',
    file: 'src/offline/device/steadyClock.ts',
    from: `const by = wall < last.wall ? Math.max(1, passed) : Math.max(passed, wall - last.wall)`,
    to: `const by = wall - last.wall`,
    red: ['tests/server/moments.test.ts > a clock that jumps at every step'],
  },
  {
    breaks: 'A hand-in of a device whose clock is behind is refused when its answers come a moment later.',
    file: 'server/study/judge.ts',
    from: `now - row.effective_at < WAIT_FOR_TARGET_MS`,
    to: `now - row.client_at < WAIT_FOR_TARGET_MS`,
    red: ['tests/server/sitting.test.ts > of a device whose clock is a year behind is waited for like any other'],
  },
  {
    breaks: 'What a student takes back has the question folded by most people’s memory instead of theirs.',
    file: 'server/study/gather.ts',
    from: `if (questionNos.size > 0) want(FIT_ROW.kind, FIT_ROW.id)`,
    to: '',
    red: ['tests/server/recall/fit.test.ts > a student who forgets faster than most gets parameters of their own'],
  },
  {
    breaks: 'Parameters that foretell no better than most people’s are kept.',
    file: 'server/study/recall/fit.ts',
    from: `return gain > Math.sqrt(variance / gains.length)`,
    to: `return gain > -1`,
    red: ['tests/server/recall/fit.test.ts > a student whom most people’s parameters foretell as well keeps them'],
  },
  {
    breaks: 'Forecasts are compared with a memory that exam day itself has made firmer.',
    file: 'server/study/recall/examForecast.ts',
    from: `answers.filter(({ at }) => dayOf(at) < examDay)`,
    to: `[...answers]`,
    red: ['tests/server/recall/forecasts.test.ts > what was studied after a forecast, or on the exam day and later'],
  },
]
