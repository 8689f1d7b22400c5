import { Link } from '@tanstack/react-router'
import type { BookPart } from '#src/domain/study/errorBook.ts'
import { buttonLook } from '#src/ui/Button.tsx'

/** 练习 and 背题 of a part of the error book. */
export function StudyLinks({ part, name }: { part: BookPart; name: string }) {
  const { phase, by, is } = part
  const place = (by === 'chapter' || by === 'library') && is ? is : null
  const no = place ?? 'all'
  const search = place === null ? { phase, by, is } : { phase }
  return (
    <>
      {(['answer', 'recite'] as const).map((mode) => (
        <Link
          key={mode}
          to="/question/library_error_study/$no/$mode/$consolidate"
          params={{ no, mode, consolidate: false }}
          search={search}
          aria-label={`${mode === 'answer' ? '练习' : '背题'} ${name}`}
          {...buttonLook({ small: true, look: mode === 'answer' ? 'light' : 'quiet' })}
        >
          {mode === 'answer' ? '练习' : '背题'}
        </Link>
      ))}
    </>
  )
}
