import { useCallback, useEffect, useRef } from 'react'
import { feedback } from '#src/ui/feedback/feedback.ts'
import type { Pdf } from './engine.ts'
import { type Destination, isSafeLink, type Link, spotOf } from './links.ts'
import type { View } from './useView.ts'

/** Where the document's own links lead: inside it at once, outside it only after asking. */
export function useDestinations(pdf: Pdf, { go }: View) {
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  }, [go])
  const goTo = useCallback(
    async (to: Destination): Promise<void> => {
      const spot = await spotOf(pdf, to).catch(() => null)
      if (spot) latest.current(spot)
      else feedback.toast('文档里没有这个位置')
    },
    [pdf],
  )
  const follow = useCallback(
    (to: Link['to']): void => void ('url' in to ? leaveFor(to.url) : goTo(to.destination)),
    [goTo],
  )
  return { goTo, follow }
}

async function leaveFor(url: string): Promise<void> {
  if (!isSafeLink(url)) return
  const answer = await feedback.ask({
    title: '打开外部网站',
    message: `文档里的链接要打开本站以外的网页，请确认你信任它：${url}`,
    actions: [
      { key: 'stay', label: '取消', tone: 'plain' },
      { key: 'go', label: '打开', tone: 'primary' },
    ],
  })
  if (answer === 'go') window.open(url, '_blank', 'noopener,noreferrer')
}
