import * as v from 'valibot'

const Info = v.object({ Title: v.string() })
/** What programs write there without being asked. */
const NO_TITLE = /^(untitled|无标题|microsoft word|.*\.(docx?|pptx?|html?|pdf)$)/i

/** What a document is called on the screen, and as a file that is saved. */
export function titleOf(info: unknown, fileName: string): { title: string; fileName: string } {
  const given = v.is(Info, info) ? info.Title.trim() : ''
  const plain = fileName.replace(/\.pdf$/, '')
  // Of a file that is named by its content's hash nobody can say which it is.
  const named = /^[0-9a-f]{16,64}$/.test(plain) ? '文档' : plain
  const title = given !== '' && !NO_TITLE.test(given) ? given : named
  return {
    title,
    fileName: `${
      title
        .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, ' ')
        .slice(0, 80)
        .trim() || '文档'
    }.pdf`,
  }
}
