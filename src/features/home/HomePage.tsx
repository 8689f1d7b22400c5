import { Link } from '@tanstack/react-router'
import { IconListCheck } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { ANONYMOUS, LAST_CHAPTER } from '#src/offline/names.ts'
import { LoginGate } from '#src/session/LoginGate.tsx'
import { useSession } from '#src/session/useSession.ts'
import { deviceMemory } from '#src/ui/memory.ts'
import classes from './HomePage.module.css'

/** 首页: the way into studying. `panel` comes after the first paint, so its room is kept. */
export function HomePage({ panel }: { panel: ReactNode }) {
  const { exam, area, uid } = useSession()
  // Who has nothing done yet is shown what the product does, which takes less room.
  const isNew = uid === null && !deviceMemory.get(LAST_CHAPTER + ANONYMOUS)
  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <p>
          {area.name} · {exam?.name}
        </p>
        <h1>备考不断线，一题不丢</h1>
        <Link to="/question/library" className={classes.go}>
          <IconListCheck size={20} aria-hidden="true" />
          开始章节练习
        </Link>
      </section>
      <div className={classes.panel} data-new={isNew || undefined}>
        <Suspense>{panel}</Suspense>
      </div>
      <nav className={classes.mine} aria-label="我的学习">
        <Link to="/question/library">章节练习</Link>
        <Link to="/question_set/question_set_list">题集</Link>
        <LoginGate>
          <Link to="/user/my_error">错题本</Link>
          <Link to="/user/my_collect">收藏</Link>
          <Link to="/user/my_note">笔记</Link>
        </LoginGate>
      </nav>
    </div>
  )
}
