import { DEVICE_KEYS } from '#src/device/keys.ts'
import { IconSpeakerphone, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { dateText } from '#src/ui/dates.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { noticeQuery } from './queries.ts'
import classes from './NoticeBanner.module.css'

/** The site's notice, in one line until it is tapped. Empty text: no banner. A text that was closed stays closed; a new one shows. */
export function NoticeBanner() {
  const { data } = useQuery(noticeQuery())
  const [closed, setClosed] = useState(() => deviceMemory.get(DEVICE_KEYS.noticeDismissed))
  const [open, setOpen] = useState(false)
  if (!data?.text || data.text === closed) return null
  return (
    <section className={clsx(common.row, common.small, common.warm, classes.banner)} aria-label="站点公告">
      <IconSpeakerphone size={18} className={common.fixed} aria-hidden="true" />
      <button
        type="button"
        className={clsx(common.grow, open ? classes.text : common.ellipsis, classes.opener)}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {data.text}
        {open && data.at && (
          <>
            {' '}
            <time className={classes.date} dateTime={dateOf(dayOf(data.at))}>
              {dateText(data.at)}发布
            </time>
          </>
        )}
      </button>
      <IconButton
        aria-label="关闭公告"
        onClick={() => {
          setClosed(data.text)
          deviceMemory.set(DEVICE_KEYS.noticeDismissed, data.text)
        }}
      >
        <IconX size={18} />
      </IconButton>
    </section>
  )
}
