import { clsx } from 'clsx'
import { useCallback, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { FolderSheet } from '#src/player/marks/FolderSheet.tsx'
import {
  collect,
  DEFAULT_FOLDER,
  DEFAULT_NAME,
  type Folders,
  foldersOf,
  putBack,
  useFolders,
} from '#src/player/marks/writeMarks.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { SearchField } from '#src/ui/SearchField.tsx'
import { type Act, useUndo } from '#src/ui/feedback/writing.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { folderInPath } from './lists.ts'
import { type Marked, useMarked, usePlaces } from './marked.ts'
import { MarkedList, Nothing } from './MarkedList.tsx'
import classes from './Marked.module.css'

interface CollectPageProps {
  /** Studies a folder or `all`, beginning at a question if one was tapped. */
  onStudy: (no: string, title: string, itemNo?: string) => void
}

/** 我的收藏: folders, and what is in them, the newest first. */
export function CollectPage({ onStudy }: CollectPageProps) {
  const folders = useFolders()
  const [words, setWords] = useState('')
  const { folder, choose, title, keeps } = useFolder(folders)
  const marked = useMarked('collected', words, keeps)
  const [managing, setManaging] = useState(false)
  const study = (itemNo?: string) => onStudy(folder === null ? 'all' : folderInPath(folder), title, itemNo)
  return (
    <section className={clsx(common.stack, classes.page)} aria-labelledby="my-collect">
      <div className={common.wrap}>
        <h1 id="my-collect" className={clsx(common.heading, classes.heading)}>
          我的收藏
        </h1>
        <Button look="light" onClick={() => setManaging(true)}>
          管理收藏夹
        </Button>
        <Button disabled={!marked?.states.length} onClick={() => study()}>
          练习
        </Button>
      </div>
      <FolderChips folders={folders} chosen={folder} onChoose={choose} />
      <SearchField type="search" aria-label="在收藏里搜索题目" placeholder="在收藏里搜索题目" onWords={setWords} />
      {marked && marked.states.length === 0 && (
        <Nothing
          marked={marked}
          words={words}
          of="star"
          what={folder === null ? '还没有收藏' : '这个收藏夹里还没有题'}
          how="做题时点题目上方的星标收藏，在出现的提示里可选收藏夹。"
        />
      )}
      <Collected marked={marked} label={title} folders={folders} onOpen={study} />
      {managing && <FolderSheet state={null} onClose={() => setManaging(false)} />}
    </section>
  )
}

/** The folder that is looked into; null: all of them. */
function useFolder(folders: Folders) {
  const [chosen, choose] = useState<string | null>(null)
  // A folder that another device deleted meanwhile.
  const folder = chosen === null || chosen === DEFAULT_FOLDER || folders.has(chosen) ? chosen : null
  const keeps = useCallback(
    (state: StudyState) => folder !== null && foldersOf(state, folders).includes(folder),
    [folder, folders],
  )
  const title = folder === null ? '我的收藏' : (folders.get(folder) ?? DEFAULT_NAME)
  return { folder, choose, title, keeps: folder === null ? null : keeps }
}

interface CollectedProps {
  /** Null until read. */
  marked: Marked | null
  label: string
  folders: Folders
  onOpen: (questionNo: string) => void
}

/** The questions, each to be moved to another folder or taken out; and what was taken out, to be put back where it was. */
function Collected({ marked, label, folders, onOpen }: CollectedProps) {
  const placeOf = usePlaces()
  const [moving, setMoving] = useState<StudyState | null>(null)
  // What is out of the collection is nowhere else to be found.
  const { perform, bar } = useUndo(null)
  return (
    <>
      {marked && (
        <MarkedList
          marked={marked}
          label={label}
          placeOf={placeOf}
          onOpen={({ questionNo }) => onOpen(questionNo)}
          renderActions={(state) => (
            <>
              <Button small look="quiet" onClick={() => setMoving(state)}>
                移到收藏夹
              </Button>
              <Button small look="quiet" tone="danger" onClick={() => perform(removal(state, folders))}>
                取消收藏
              </Button>
            </>
          )}
        />
      )}
      {bar}
      {moving && <FolderSheet state={moving} onClose={() => setMoving(null)} />}
    </>
  )
}

const removal = (state: StudyState, folders: Folders): Act => ({
  text: '已取消收藏',
  act: () => collect(state, null),
  undo: () => putBack(state, foldersOf(state, folders)),
})

interface FolderChipsProps {
  folders: Folders
  chosen: string | null
  onChoose: (folder: string | null) => void
}

function FolderChips({ folders, chosen, onChoose }: FolderChipsProps) {
  const { all, inFolder } = useRecord(readTotals).data ?? { all: 0, inFolder: new Map<string, number>() }
  // What a deleted folder held is in the one that everybody has.
  const ofDefault = [...inFolder].filter(([no]) => !folders.has(no)).reduce((sum, [, count]) => sum + count, 0)
  const chip = (value: string | null, name: string, count: number) => ({
    value,
    label: (
      <>
        {name} <small>{count}</small>
      </>
    ),
  })
  const options = [
    chip(null, '全部', all),
    chip(DEFAULT_FOLDER, DEFAULT_NAME, ofDefault),
    ...[...folders].map(([no, name]) => chip(no, name, inFolder.get(no) ?? 0)),
  ]
  return <Chips label="收藏夹" options={options} chosen={chosen} onPick={onChoose} />
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
