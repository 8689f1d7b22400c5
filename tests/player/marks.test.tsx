import { onDisk } from '#tests/support/drafts.ts'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NOTE_MAX } from '#src/contract/sync.ts'
import { offline } from '#src/offline/index.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import '#src/player/marks/FolderSheet.tsx'
import '#src/player/marks/NoteSheet.tsx'
import { type Mode, start } from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { restoreOn } from '#src/player/snapshot.ts'
import { Player } from '#src/player/Player.tsx'
import '#src/player/tools/Tools.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { FeedbackHost } from '#src/ui/feedback/FeedbackHost.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { more, openMore } from '#tests/support/more.ts'
import { items, single } from '#tests/support/questions.ts'
import { placeIn } from '#tests/support/states.ts'

let user: ReturnType<typeof userEvent.setup>
let batch = 0
let prefix = ''
beforeEach(() => {
  user = userEvent.setup()
  localStorage.clear()
  prefix = `K${++batch}_`
})
afterEach(() => {
  feedback.get().question?.answer(null)
  vi.restoreAllMocks()
})

const no = (n: number) => `${prefix}${n}`
const draft = () => `batch:${prefix}`
interface ScreenProps {
  count?: number
  mode?: Mode
  kept?: boolean
  saved?: Snapshot | null
}
function Screen({ count = 1, mode = 'practice', kept = true, saved = null }: ScreenProps) {
  const dealt = items(Array.from({ length: count }, (_, i) => single(no(i + 1))))
  const player = usePlayer(
    saved ? restoreOn(saved, dealt) : start(dealt, mode),
    kept ? onDisk(draft()) : null,
    'library',
  )
  return (
    <>
      <Player player={player} title="第一章" onEnd={() => {}} />
      <FeedbackHost />
    </>
  )
}
async function study(props: ScreenProps = {}) {
  const { unmount } = render(<Screen {...props} />)
  await screen.findByRole('button', { name: /^更多/ })
  return { unmount }
}
const saved = async () => v.parse(Snapshot, await offline.loadDraft(onDisk(draft())))
const stateOf = async (n = 1) => (await offline.states([no(n)])).get(no(n))
const ops = async (kind: string) =>
  (await offline.waiting()).filter((op) => op.kind === kind && String(op.payload.questionNo).startsWith(prefix))
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const radio = (letter: string) => screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(`^${letter}．`) })
const at = (n: number) => screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题`) })
const marked = (text: string) => screen.findByText(text, { selector: 'p:not([role])' })
const full = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })

describe('撤销', () => {
  const mayTakeBack = async (): Promise<boolean> => {
    await openMore()
    const may = !button('撤销上一次作答').disabled
    await user.click(button('关闭'))
    return may
  }
  test('takes back eleven answers one after another, each open again as it was, and counts none of them', async () => {
    await study({ count: 11 })
    expect(await mayTakeBack()).toBe(false)
    for (let n = 1; n <= 11; n++) {
      await user.keyboard('a')
      await marked('回答错误')
      if (n < 11) await user.keyboard('{ArrowRight}')
    }
    const answers = await ops('answer')
    for (let n = 11; n >= 1; n--) {
      await user.keyboard(n % 2 ? 'z' : 'u')
      await at(n)
      await waitFor(() => expect(screen.queryByText('回答错误', { selector: 'p:not([role])' })).toBeNull())
      expect(radio('A').checked).toBe(true)
      expect(await stateOf(n)).toBeUndefined()
    }
    expect(await mayTakeBack()).toBe(false)
    const targets = (await ops('retract')).map(({ payload }) => payload.target)
    expect(targets).toEqual(answers.map(({ opId }) => opId).toReversed())
  })
  test('is there again after the page is gone, and the batch resumes at the question that was opened', async () => {
    const { unmount } = await study({ count: 2 })
    await user.click(radio('B'))
    await marked('回答正确')
    await user.click(button('下一题'))
    unmount()
    await study({ count: 2, saved: await saved() })
    await at(2)
    await more('撤销上一次作答')
    await at(1)
    // Before anything else is written: the place is on disk with the retraction.
    expect(await saved()).toMatchObject({ at: 0, parts: { [no(1)]: { right: null, response: { ids: ['B'] } } } })
    await user.click(radio('C'))
    await marked('回答错误')
    expect(await stateOf(1)).toMatchObject({ times: 1, wrong: 1 })
  })
  test('takes the time off its day', async () => {
    const today = async () => [...(await offline.things('day')).values()].reduce((sum, day) => sum + day.answered, 0)
    const before = await today()
    await study()
    await user.click(radio('B'))
    await marked('回答正确')
    expect(await today()).toBe(before + 1)
    await user.keyboard('z')
    await expect.poll(today).toBe(before)
  })
  test.each([
    ['recite mode', { mode: 'recite' }],
    ['an exam', { mode: 'exam' }],
    ['a review', { kept: false }],
  ] as const)('is not in %s', async (_, props) => {
    await study(props)
    await openMore()
    expect(screen.queryByRole('button', { name: '撤销上一次作答' })).toBeNull()
  })
  test('a device that cannot keep it says so, leaves the answer marked, and does it on 重试', async () => {
    await study()
    await user.click(radio('B'))
    await marked('回答正确')
    const disk = full()
    await user.keyboard('z')
    expect((await screen.findByRole('alert')).textContent).toContain('撤销未保存')
    await marked('回答正确')
    disk.mockRestore()
    await user.click(button('重试'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(await stateOf()).toBeUndefined()
  })
})

const sheet = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('收藏', () => {
  test('a second tap takes the collection back, out of every folder, and that can be undone', async () => {
    const own = `f${prefix}`
    await offline.add({ kind: 'folder', payload: { no: own, name: `易错${batch}` } })
    for (const folder of ['', own])
      await offline.add({ kind: 'collect', payload: { questionNo: no(1), folder, over: [] }, place: placeIn('L') })
    await study()
    await more('已收藏，取消收藏')
    await screen.findByRole('button', { name: '更多' })
    expect((await stateOf())?.collected).toBeUndefined()
    await screen.findByText('已取消收藏')
    await user.click(screen.getByText('撤销', { selector: 'p > button' }))
    await screen.findByRole('button', { name: '更多，已收藏' })
    expect((await stateOf())?.collected?.map(({ folder }) => folder).sort()).toEqual(['', own])
    // Two taps one after the other, before the screen knows of the first.
    await user.keyboard('s')
    await screen.findByText('已取消收藏')
    await user.keyboard('s')
    await screen.findByText('已收藏')
    expect((await stateOf())?.collected).toHaveLength(1)
  })
  test('the notice of a star leads to the folders, and leaves with its question', async () => {
    await study({ count: 2 })
    await more('收藏')
    await screen.findByText('选收藏夹')
    await user.click(button('下一题'))
    await waitFor(() => expect(screen.queryByText('选收藏夹')).toBeNull())
  })
  test('a tap keeps the question and its text; its notice and a key choose a folder, where it is taken out as well', async () => {
    await study()
    await more('收藏')
    await user.click(await screen.findByText('选收藏夹'))
    expect((await stateOf())?.collected).toMatchObject([{ folder: '' }])
    await expect.poll(async () => (await keptQuestions(offline.owner, [no(1)])).size).toBe(1)
    const folders = await sheet('收藏夹')
    await user.type(folders.getByRole('textbox', { name: '新收藏夹' }), `易错${batch}`)
    await user.click(folders.getByRole('button', { name: '新建' }))
    await expect.poll(async () => (await stateOf())?.collected?.[0]?.folder).toMatch(/^f\w+$/)
    expect((await stateOf())?.collected).toHaveLength(1)
    await user.keyboard('{Shift>}S{/Shift}')
    const again = await sheet('收藏夹')
    expect((await again.findByRole('button', { name: `易错${batch}` })).getAttribute('aria-pressed')).toBe('true')
    await user.click(again.getByRole('button', { name: '取消收藏' }))
    await screen.findByRole('button', { name: '更多' })
    expect((await stateOf())?.collected).toBeUndefined()
  })
  test('a folder is renamed and deleted; what it held is in the one that everybody has', async () => {
    const own = `f${prefix}`
    await offline.add({ kind: 'folder', payload: { no: own, name: `旧${batch}` } })
    await study()
    await offline.add({
      kind: 'collect',
      payload: { questionNo: no(1), folder: own, over: [] },
      place: placeIn('L'),
    })
    await screen.findByRole('button', { name: '更多，已收藏' })
    await user.keyboard('{Shift>}S{/Shift}')
    const folders = await sheet('收藏夹')
    await user.click(await folders.findByRole('button', { name: `改名：旧${batch}` }))
    const name = folders.getByRole('textbox', { name: /新名称$/ })
    await user.clear(name)
    await user.type(name, `新${batch}{Enter}`)
    await user.click(await folders.findByRole('button', { name: `删除：新${batch}` }))
    await user.click((await sheet(`删除收藏夹“新${batch}”？`)).getByRole('button', { name: '删除' }))
    await waitFor(() =>
      expect(folders.getByRole('button', { name: '默认收藏夹' }).getAttribute('aria-pressed')).toBe('true'),
    )
    expect((await offline.things('folder')).get(own)?.name).toBe('')
    expect((await stateOf())?.collected).toHaveLength(1)
  })
  test('names what the screen showed, so that one tap takes out what two devices put in', async () => {
    const put = (folder: string) =>
      offline.add({ kind: 'collect', payload: { questionNo: no(1), folder, over: [] }, place: placeIn('L') })
    const both = [await put(''), await put(`f${prefix}`)]
    await study()
    await screen.findByRole('button', { name: '更多，已收藏' })
    await user.keyboard('{Shift>}S{/Shift}')
    await user.click((await sheet('收藏夹')).getByRole('button', { name: '取消收藏' }))
    await expect.poll(async () => (await stateOf())?.collected).toBeUndefined()
    expect((await ops('collect')).at(-1)?.payload.over).toEqual(both)
  })
  test('a device that cannot keep it says so and shows no star', async () => {
    await study()
    const disk = full()
    await user.keyboard('s')
    expect((await screen.findByRole('alert')).textContent).toContain('收藏未保存')
    disk.mockRestore()
    await user.click(button('重试'))
    await screen.findByRole('button', { name: '更多，已收藏' })
  })
})

describe('笔记', () => {
  const field = async () => (await sheet('笔记')).findByRole<HTMLTextAreaElement>('textbox', { name: '我的笔记' })
  const write = (text: string, over: string[] = []) =>
    offline.add({ kind: 'note', payload: { questionNo: no(1), text, over }, place: placeIn('L') })
  const texts = async () => (await stateOf())?.notes?.map(({ text }) => text)

  test('is written by key, counted, saved and found again', async () => {
    await study()
    await user.keyboard('n')
    await user.type(await field(), '先看题干')
    expect((await sheet('笔记')).getByText(`4/${NOTE_MAX}`)).toBeTruthy()
    await user.click((await sheet('笔记')).getByRole('button', { name: '保存' }))
    await screen.findByRole('button', { name: '更多，有笔记' })
    expect(await texts()).toEqual(['先看题干'])
    await expect.poll(async () => (await keptQuestions(offline.owner, [no(1)])).size).toBe(1)
    await expect.poll(() => offline.loadDraft(onDisk(`note:${no(1)}`))).toBeUndefined()
    await user.keyboard('n')
    expect((await field()).value).toBe('先看题干')
  })
  test('what is typed and not saved is there after the page was gone', async () => {
    const { unmount } = await study()
    await user.keyboard('n')
    await user.type(await field(), '写到一半')
    await expect.poll(() => offline.loadDraft(onDisk(`note:${no(1)}`))).toMatchObject({ text: '写到一半' })
    unmount()
    await study()
    await user.keyboard('n')
    expect((await field()).value).toBe('写到一半')
    expect(await texts()).toBeUndefined()
  })
  test('one that is too long cannot be saved, and says by how much', async () => {
    await study()
    await user.keyboard('n')
    await user.click(await field())
    await user.paste('长'.repeat(NOTE_MAX + 3))
    const note = await sheet('笔记')
    expect(note.getByText(/超出 3 字/)).toBeTruthy()
    expect(note.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true)
  })
  test('what two devices wrote stands side by side, and is one text once it is taken in and saved', async () => {
    await write('手机上写的')
    await write('电脑上写的')
    await study()
    await user.keyboard('n')
    expect((await field()).value).toBe('电脑上写的')
    const other = within((await sheet('笔记')).getByRole('region', { name: '另一台设备写的笔记' }))
    expect(other.getByText('手机上写的')).toBeTruthy()
    await user.click(other.getByRole('button', { name: '并入' }))
    await user.click((await sheet('笔记')).getByRole('button', { name: '保存' }))
    await expect.poll(texts).toEqual(['电脑上写的\n\n手机上写的'])
  })
  test('one that comes while another is written stays when that is saved', async () => {
    await study()
    await user.keyboard('n')
    await user.type(await field(), '这里的')
    await write('那里的')
    await (await sheet('笔记')).findByRole('region', { name: '另一台设备写的笔记' })
    await user.click((await sheet('笔记')).getByRole('button', { name: '保存' }))
    await expect.poll(texts).toEqual(['那里的', '这里的'])
  })
  test('one that takes the place of the open one is shown as long as nothing was typed', async () => {
    await write('原来的')
    await study()
    await user.keyboard('n')
    expect((await field()).value).toBe('原来的')
    await write(
      '别处改过的',
      (await stateOf())?.notes?.map(({ opId }) => opId),
    )
    await waitFor(async () => expect((await field()).value).toBe('别处改过的'))
  })
  test('is deleted only when the student says so twice', async () => {
    await write('没用了')
    await study()
    await more('笔记，本题有笔记')
    await field()
    await user.click((await sheet('笔记')).getByRole('button', { name: '删除笔记' }))
    await user.click((await sheet('删除这道题的笔记？')).getByRole('button', { name: '不删除' }))
    expect(await texts()).toEqual(['没用了'])
    await user.click((await sheet('笔记')).getByRole('button', { name: '删除笔记' }))
    await user.click((await sheet('删除这道题的笔记？')).getByRole('button', { name: '删除' }))
    await screen.findByRole('button', { name: '更多' })
    expect(await texts()).toBeUndefined()
  })
  test('a device that cannot keep it says so and keeps the text on the screen', async () => {
    await study()
    await user.keyboard('n')
    await user.type(await field(), '别丢')
    const disk = full()
    await user.click((await sheet('笔记')).getByRole('button', { name: '保存' }))
    expect((await screen.findByRole('alert')).textContent).toContain('未保存')
    expect((await field()).value).toBe('别丢')
    disk.mockRestore()
    await user.click((await sheet('笔记')).getByRole('button', { name: '保存' }))
    await expect.poll(texts).toEqual(['别丢'])
  })
})

test('a batch that was only opened writes nothing over what another tab has gone on with', async () => {
  const { unmount: leave } = await study({ count: 2 })
  leave()
  await expect.poll(() => offline.loadDraft(onDisk(draft()))).toBeTruthy()
  const { unmount } = await study({ count: 2, saved: await saved() })
  const ahead = { ...(await saved()), at: 1 }
  await offline.saveDraft({ key: onDisk(draft()), value: ahead })
  unmount()
  // Whatever it would have written is written by then.
  await offline.saveDraft({ key: onDisk(`${draft()}after`), value: ahead })
  expect(await saved()).toEqual(ahead)
})
