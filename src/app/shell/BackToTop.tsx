import { IconArrowUp } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import common from '#src/ui/common.module.css'
import classes from './BackToTop.module.css'

const FAR_PX = 600

export function BackToTop() {
  const [far, setFar] = useState(false)
  useEffect(() => {
    const follow = () => setFar(window.scrollY > FAR_PX)
    window.addEventListener('scroll', follow, { passive: true })
    return () => window.removeEventListener('scroll', follow)
  }, [])
  if (!far) return null
  return (
    <button
      type="button"
      className={clsx(common.accent, classes.button)}
      aria-label="回到顶部"
      onClick={() => window.scrollTo({ top: 0 })}
    >
      <IconArrowUp size={22} />
    </button>
  )
}
