import { clsx } from 'clsx'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useId, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import field from '#src/ui/Field.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { useWriting } from '#src/ui/feedback/writing.tsx'
import {
  collect,
  DEFAULT_FOLDER,
  DEFAULT_NAME,
  FOLDER_NAME_MAX,
  foldersOf,
  nameFolder,
  newFolderNo,
  useFolders,
} from './writeMarks.ts'
import classes from './Marks.module.css'

export interface FolderSheetProps {
  /** The question to be put somewhere; null: folders are only named and deleted. */
  state: StudyState | null
  /** It is in the collection now. */
  onKept?: () => void
  onClose: () => void
}

/** 收藏夹: which one a question is in, and folders made, renamed and deleted. */
export function FolderSheet({ state, onKept, onClose }: FolderSheetProps) {
  const folders = useFolders()
  const { unkept, write } = useWriting()
  const own = state ? foldersOf(state, folders) : []
  const keepIn = async (no: string | null, said: string) => {
    if (!state) return
    await collect(state, no)
    if (no !== null) onKept?.()
    feedback.toast(said)
    onClose()
  }
  const put = (no: string | null, said: string) => void write(() => keepIn(no, said))
  const create = (name: string) => {
    const no = newFolderNo()
    return write(() => nameFolder(name, no).then(() => keepIn(no, `已收藏到“${name}”`)))
  }
  const names = [DEFAULT_NAME, ...folders.values()]
  return (
    <Dialog title="收藏夹" sheet onClose={onClose}>
      {unkept}
      <ul className={clsx(common.column, classes.list)}>
        {[[DEFAULT_FOLDER, DEFAULT_NAME] as const, ...folders].map(([no, name]) => (
          <Folder
            key={no}
            no={no}
            name={name}
            taken={names}
            picked={state && own.includes(no)}
            onPick={() => put(no, `已收藏到“${name}”`)}
            write={write}
          />
        ))}
      </ul>
      <NameForm label="新收藏夹" action="新建" taken={names} onName={create} />
      {own.length > 0 && (
        <Button look="quiet" tone="danger" onClick={() => put(null, '已取消收藏')}>
          取消收藏
        </Button>
      )}
    </Dialog>
  )
}

const NAME = clsx(common.between, common.grow, classes.name)

type Write = (work: () => Promise<void>) => Promise<void>

interface FolderProps {
  no: string
  name: string
  taken: readonly string[]
  /** Null: there is nothing to put into it. */
  picked: boolean | null
  onPick: () => void
  write: Write
}

function Folder({ no, name, taken, picked, onPick, write }: FolderProps) {
  const [naming, setNaming] = useState(false)
  if (naming)
    return (
      <li>
        <NameForm
          label={`“${name}”的新名称`}
          action="改名"
          value={name}
          taken={taken.filter((each) => each !== name)}
          onName={(next) => write(() => nameFolder(next, no).then(() => setNaming(false)))}
          onCancel={() => setNaming(false)}
        />
      </li>
    )
  const remove = async () => {
    const answer = await feedback.ask({
      title: `删除收藏夹“${name}”？`,
      message: `里面的题会移到${DEFAULT_NAME}，不会取消收藏。`,
      actions: [
        { key: 'stay', label: '不删除' },
        { key: 'delete', label: '删除', tone: 'danger' },
      ],
    })
    if (answer === 'delete') await write(() => nameFolder('', no))
  }
  return (
    <li className={common.row}>
      {picked === null ? (
        <span className={NAME}>{name}</span>
      ) : (
        <button type="button" className={NAME} aria-pressed={picked} onClick={onPick}>
          {name}
          {picked && <IconCheck size={20} aria-hidden="true" />}
        </button>
      )}
      {no !== DEFAULT_FOLDER && (
        <>
          <Button small look="quiet" aria-label={`改名：${name}`} onClick={() => setNaming(true)}>
            改名
          </Button>
          <Button small look="quiet" tone="danger" aria-label={`删除：${name}`} onClick={() => void remove()}>
            删除
          </Button>
        </>
      )}
    </li>
  )
}

interface NameFormProps {
  label: string
  action: string
  value?: string
  /** Names of other folders. */
  taken: readonly string[]
  onName: (name: string) => Promise<void>
  onCancel?: () => void
}

function NameForm({ label, action, value = '', taken, onName, onCancel }: NameFormProps) {
  const [text, setText] = useState(value)
  const id = useId()
  const name = text.trim()
  const fault = taken.includes(name) ? '已有同名的收藏夹，换一个名称' : ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name !== '' && fault === '') void onName(name).then(() => setText(''))
  }
  return (
    <form className={clsx(common.wrap, common.grow, classes.naming)} onSubmit={submit}>
      <label className={clsx(field.field, common.grow)}>
        <span className={common.strong}>{label}</span>
        <input
          className={field.input}
          value={text}
          maxLength={FOLDER_NAME_MAX}
          autoComplete="off"
          aria-describedby={id}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" look="light" disabled={name === '' || fault !== ''}>
        {action}
      </Button>
      {onCancel && (
        <Button look="quiet" tone="plain" onClick={onCancel}>
          不改
        </Button>
      )}
      <small id={id} className={clsx(common.wrong, classes.fault)} role="status">
        {fault}
      </small>
    </form>
  )
}
