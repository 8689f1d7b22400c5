import { type Calibration, type Horizon, readRecallReport, type RecallReport } from '#server/study/recall/report.ts'
import { finish, misuse, readCommand, readSettings } from './commandLine.ts'
import { withDatabase } from './database.ts'

const HELP = `用法：npm run recall [-- --days 天数] [--json]

学生记得多少：系统预计的与后来实际的，相差多少。
  作答    隔天再做的题，答之前预计答对的可能，与实际答对的比例
  考试日  考前 30、14、7 天预计那天还记得的比例，与到那天按实际复习推算的比例
  校准    隔天作答满 400 次的学生里，有多少人改用按自己拟合的遗忘快慢
--days 只看最近这些天，默认 90。
只查看，不改动；服务运行时也可以使用。环境变量与服务端相同。
退出码：0 成功，1 有错误，2 用法不对。`
const DAYS = 90
const DAY_MS = 86_400_000
/** A bar of the whole is so many characters long. */
const BAR = 30

const { values, command, asJson } = readCommand(HELP, { days: { type: 'string' } })
if (command !== '') misuse(`多了 ${command}`)
const days = values.days ?? String(DAYS)
if (!/^[1-9]\d{0,3}$/.test(days)) misuse('--days 写 1 到 9999 的数字')
const since = Date.now() - Number(days) * DAY_MS
const report = await withDatabase(readSettings(), (db) => readRecallReport(db, since))
finish(0, asJson ? JSON.stringify(report) : told(report).join('\n'))

function told({ calibration, horizons, fits }: RecallReport): string[] {
  return [
    `作答（最近 ${days} 天）`,
    ...(calibration.length > 0 ? calibration.map(toldAnswers) : ['  还没有隔天再做的题']),
    '',
    '考试日',
    ...(horizons.length > 0 ? horizons.map(toldHorizon) : ['  还没有到考前 30 天的学生']),
    '',
    '校准',
    fits.tried === 0 ? '  还没有隔天作答满 400 次的学生' : `  ${toldFits(fits)}`,
  ]
}

function toldAnswers({ from, to, answers, said, came }: Calibration): string {
  const bar = (share: number, sign: string) => sign.repeat(Math.round(BAR * share))
  return [
    `  预计 ${percent(from)}–${percent(to)}：${answers} 次，预计 ${percent(said)}，答对 ${percent(came)}（${signed(came - said)}）`,
    `    预计 ${bar(said, '░')}`,
    `    答对 ${bar(came, '█')}`,
  ].join('\n')
}

function toldHorizon({ days: before, made, compared, said, came, off, held }: Horizon): string {
  const head = `  考前 ${before} 天：预计过 ${made} 次`
  if (said === null || came === null || off === null || held === null) return `${head}，考试日都还没到`
  return `${head}，${compared} 次已到考试日：预计 ${percent(said)}，实际 ${percent(came)}，平均相差 ${(100 * off).toFixed(1)} 个百分点，${percent(held)} 落在预计范围内（应约 80%）`
}

function toldFits({ tried, kept, common, own }: RecallReport['fits']): string {
  const better =
    common === null || own === null
      ? ''
      : `，他们的每次作答对数损失由 ${common.toFixed(3)} 降到 ${own.toFixed(3)}（越小越准）`
  return `${tried} 人作答够多，${kept} 人改用自己的${better}；其余人用通用的同样准`
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}
function signed(share: number): string {
  const points = Math.round(100 * share)
  return `${points > 0 ? '+' : ''}${points} 个百分点`
}
