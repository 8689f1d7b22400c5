import { answerReports, type OpenReports, openReports } from '#server/content/bank/reports.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { finish, misuse, readCommand, readSettings } from './commandLine.ts'
import { withDatabase } from './database.ts'
import { plainLine } from './plainLine.ts'

const HELP = `用法：npm run reports -- <命令> [选项]

命令
  list                        未处理的纠错，按题目归并，反映人数多的在前
  fixed    题号… --reply 回复   答复：已修正
  declined 题号… --reply 回复   答复：不采纳
一次答复这些题目的全部未处理纠错，全部成功或全部不变；每位反映的学生下次同步时收到。
改题后导入时也可直接答复：npm run content -- import 文件 --reply 回复

选项
  --json   以 JSON 输出结果

环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以使用。
退出码：0 成功，1 题目没有未处理的纠错，2 用法不对。`
const REASONS = { answer: '答案有误', stem: '题干有误', analysis: '解析有误', picture: '图片问题', other: '其他' }
const STEM_SHOWN = 40
/** As the contract's text of a report. */
const REPLY_MAX = 500

const { values, command, words: nos, asJson } = readCommand(HELP, { reply: { type: 'string' } })
const env = readSettings()
if (command === 'list') {
  if (nos.length > 0) misuse(`多了 ${nos.join('、')}`, command)
  const open = await withDatabase(env, openReports)
  finish(0, asJson ? JSON.stringify(open) : open.length > 0 ? open.map(told).join('\n') : '没有未处理的纠错')
}
const reply = values.reply?.trim() ?? ''
if (nos.length === 0 || reply === '' || reply.length > REPLY_MAX)
  misuse(`要给出题号和 --reply 回复（1 到 ${REPLY_MAX} 字）`, command)
const status = command === 'fixed' ? 'fixed' : 'declined'
const count = await withDatabase(env, (db) => answerReports(db, nos, { status, reply, at: Date.now() }))
finish(
  count > 0 ? 0 : 1,
  asJson ? JSON.stringify({ answered: count }) : count > 0 ? `已答复 ${count} 条` : '这些题目没有未处理的纠错',
)

function told({ questionNo, stem, retired, version, count: n, reports }: OpenReports): string {
  const text = plainText(stem).slice(0, STEM_SHOWN) || '题库里没有这道题'
  const head = `${questionNo}（${n} 条${retired ? '，已下架' : ''}${version && version > 1 ? `，第 ${version} 版` : ''}）${text}`
  const lines = reports.map((each) => `  ${REASONS[each.reason]}${each.text && `：${each.text}`}`)
  return [head, ...lines].map(plainLine).join('\n')
}
