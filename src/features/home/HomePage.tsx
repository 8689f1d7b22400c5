import { Link } from '@tanstack/react-router'
import { IconCloudOff, IconListCheck, IconPencilCheck } from '@tabler/icons-react'
import { LoginGate } from '#src/session/LoginGate.tsx'
import { useSession } from '#src/session/useSession.ts'
import classes from './HomePage.module.css'

/** 首页: the way into studying. */
export function HomePage() {
  const { exam, area } = useSession()
  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <p>
          {area.name} · {exam?.name}
        </p>
        <h1>备考不断线，一题不丢</h1>
        <Link to="/question/library" className={classes.go}>
          <IconPencilCheck size={20} aria-hidden="true" />
          开始章节练习
        </Link>
      </section>
      <LoginGate>
        <nav className={classes.mine} aria-label="我的学习">
          <Link to="/user/my_error">错题本</Link>
          <Link to="/user/my_collect">收藏</Link>
          <Link to="/user/my_note">笔记</Link>
          <Link to="/user/my_userinfo">我的</Link>
        </nav>
      </LoginGate>
      <ul className={classes.points}>
        <li>
          <IconCloudOff size={26} stroke={1.5} aria-hidden="true" />
          <b>断网照常做题</b>
          <span>打开过的章节没有信号也能练，答案先存本机，有网自动同步。</span>
        </li>
        <li>
          <IconListCheck size={26} stroke={1.5} aria-hidden="true" />
          <b>按章节推进</b>
          <span>未做的题优先，随时离开，回来还在同一题。</span>
        </li>
      </ul>
    </div>
  )
}
