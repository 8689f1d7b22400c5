import { useCallback, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { FolderSheet } from '#src/player/FolderSheet.tsx'
import { collect, DEFAULT_FOLDER, DEFAULT_NAME, type Folders, foldersOf, useFolders } from '#src/player/marks.ts'
import { Button } from '#src/ui/Button.tsx'
import { folderInPath } from './lists.ts'
import { useMarked, usePlaces } from './marked.ts'
import { MarkedList, MarkedSearch, Nothing } from './parts/MarkedList.tsx'
import classes from './parts/Marked.module.css'

interface CollectPageProps {
  /** Studies a folder or `all`, beginning at a question if one was tapped. */
  onStudy: (no: string, title: string, itemNo?: string) => void
}

/** 我的收藏: folders, and what is in them, the newest first. */
export function CollectPage({ onStudy }: CollectPageProps) {
  const folders = useFolders()
  const totals = useRecord(readTotals).data
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  // A folder that another device deleted meanwhile.
  const folder = chosen === null || chosen === DEFAULT_FOLDER || folders.has(chosen) ? chosen : null
  const keeps = useCallback(
    (state: StudyState) => folder !== null && foldersOf(state, folders).includes(folder),
    [folder, folders],
  )
  const marked = useMarked('collected', words, folder === null ? null : keeps)
  const placeOf = usePlaces()
  const [sheet, setSheet] = useState<StudyState | 'manage' | null>(null)
  const removal = useRemoval(folders)
  const title = folder === null ? '我的收藏' : (folders.get(folder) ?? DEFAULT_NAME)
  const no = folder === null ? 'all' : folderInPath(folder)
  return (
    <section className={classes.page} aria-labelledby="my-collect">
      <div className={classes.head}>
        <h1 id="my-collect">我的收藏</h1>
        <Button look="light" onClick={() => setSheet('manage')}>
          管理收藏夹
        </Button>
        <Button disabled={!marked?.states.length} onClick={() => onStudy(no, title)}>
          练习
        </Button>
      </div>
      <FolderChips folders={folders} totals={totals} chosen={folder} onChoose={setChosen} />
      <MarkedSearch label="在收藏里搜索题目" onWords={setWords} />
      {removal.bar}
      {marked && marked.states.length === 0 && (
        <Nothing
          marked={marked}
          words={words}
          what={folder === null ? '还没有收藏' : '这个收藏夹里还没有题'}
          how="做题时点题目上方的星标收藏，再点一次可选收藏夹。"
        />
      )}
      {marked && (
        <MarkedList
          marked={marked}
          label={title}
          placeOf={placeOf}
          onOpen={({ questionNo }) => onStudy(no, title, questionNo)}
          renderActions={(state) => (
            <>
              <Button small look="quiet" onClick={() => setSheet(state)}>
                移到收藏夹
              </Button>
              <Button small look="quiet" tone="danger" onClick={() => removal.remove(state)}>
                取消收藏
              </Button>
            </>
          )}
        />
      )}
      {sheet && <FolderSheet state={sheet === 'manage' ? null : sheet} onClose={() => setSheet(null)} />}
    </section>
  )
}

interface FolderChipsProps {
  folders: Folders
  totals: Totals | null
  chosen: string | null
  onChoose: (folder: string | null) => void
}

function FolderChips({ folders, totals, chosen, onChoose }: FolderChipsProps) {
  const { all, inFolder } = totals ?? { all: 0, inFolder: new Map<string, number>() }
  // What a deleted folder held is in the one that everybody has.
  const ofDefault = [...inFolder].filter(([no]) => !folders.has(no)).reduce((sum, [, count]) => sum + count, 0)
  const chips: [no: string | null, name: string, count: number][] = [
    [null, '全部', all],
    [DEFAULT_FOLDER, DEFAULT_NAME, ofDefault],
    ...[...folders].map(([no, name]): [string, string, number] => [no, name, inFolder.get(no) ?? 0]),
  ]
  return (
    <div className={classes.chips} role="group" aria-label="收藏夹">
      {chips.map(([no, name, count]) => (
        <button key={no ?? 'all'} type="button" aria-pressed={chosen === no} onClick={() => onChoose(no)}>
          {name} <small>{count}</small>
        </button>
      ))}
    </div>
  )
}

interface Totals {
  all: number
  inFolder: Map<string, number>
}
const FOLDER = 'folder:'

async function readTotals(): Promise<Totals> {
  const totals: Totals = { all: 0, inFolder: new Map() }
  for (const { sums } of await offline.allCounters())
    for (const [name, amount] of Object.entries(sums)) {
      if (name === 'collected') totals.all += amount
      const folder = name.startsWith(FOLDER) ? name.slice(FOLDER.length) : null
      if (folder !== null) totals.inFolder.set(folder, (totals.inFolder.get(folder) ?? 0) + amount)
    }
  return totals
}

/** Taking questions out, and putting them back where they were, the last one first. */
function useRemoval(folders: Folders) {
  const [removed, setRemoved] = useState<readonly StudyState[]>([])
  const [again, setAgain] = useState<(() => void) | null>(null)
  const write = (work: () => Promise<unknown>, then: () => void): void => {
    work().then(
      () => {
        setAgain(null)
        then()
      },
      () => setAgain(() => () => write(work, then)),
    )
  }
  const remove = (state: StudyState) =>
    write(
      () => collect(state, null),
      () => setRemoved((old) => [...old, state]),
    )
  const last = removed.at(-1)
  const putBack = (state: StudyState) => {
    const { collected: _, ...free } = state
    write(
      () => collect(free, foldersOf(state, folders)[0] ?? DEFAULT_FOLDER),
      () => setRemoved((old) => old.filter((each) => each !== state)),
    )
  }
  const bar = (
    <>
      {again && (
        <p role="alert" className={classes.unkept}>
          未保存：本机存储写入失败。
          <Button small look="light" tone="danger" onClick={again}>
            重试
          </Button>
        </p>
      )}
      <p role="status" className={last && classes.removed}>
        {last && (
          <>
            已取消收藏 {removed.length} 题
            <Button small look="light" onClick={() => putBack(last)}>
              撤销
            </Button>
          </>
        )}
      </p>
    </>
  )
  return { remove, bar }
}
