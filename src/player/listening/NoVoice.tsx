import { onlineManager } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Lost } from '#src/ui/Empty.tsx'
import { canSpeak } from './voices.ts'

/** Tells what to do where no voice reads Chinese. @param look looks for one again */
export function NoVoice({ look }: { look: () => Promise<void> }) {
  const [looked, setLooked] = useState<'no' | 'looking' | 'yes'>('no')
  const isLooking = looked === 'looking'
  const again = async () => {
    if (isLooking) return
    setLooked('looking')
    await look()
    setLooked('yes')
  }
  return (
    <Lost title="这台设备暂时不能朗读" role="alert">
      <p>
        {looked === 'yes' && '还是'}没有找到可用的中文语音{onlineManager.isOnline() ? '' : '，或者它需要联网'}
        。请在手机的“设置”里搜索“文字转语音”，安装中文语音后再试。
      </p>
      {canSpeak() && (
        // A button that is disabled loses the focus.
        <Button data-autofocus aria-disabled={isLooking || undefined} onClick={() => void again()}>
          {isLooking ? '正在找…' : '再找一次'}
        </Button>
      )}
    </Lost>
  )
}
