import { IconPhotoShare } from '@tabler/icons-react'
import { Button } from '#src/ui/Button.tsx'
import { useLater } from '#src/ui/feedback/useLater.ts'
import type { PosterDialogProps } from './PosterDialog.tsx'

/** 生成海报: what draws comes when it is first asked for. */
export function PosterOpener(of: Omit<PosterDialogProps, 'onClose'>) {
  const later = useLater(
    () => import('./PosterDialog.tsx').then((m) => m.PosterDialog),
    '海报暂时打不开，请联网后再试一次。',
  )
  return (
    <>
      <Button look="light" busy={later.busy} onClick={later.open}>
        <IconPhotoShare size={18} aria-hidden="true" />
        生成海报
      </Button>
      {later.Part && <later.Part {...of} onClose={later.close} />}
    </>
  )
}
