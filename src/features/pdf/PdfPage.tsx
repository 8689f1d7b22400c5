import { IconCloudOff, IconFileOff, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { bytesText } from '#src/domain/text/bytes.ts'
import { type DocumentSites, documentUrl, LARGEST_DOCUMENT } from '#src/domain/app/documentUrl.ts'
import type { Progress } from '#src/offline/downloads/documents/arriving.ts'
import { DocumentError } from '#src/offline/downloads/documents/documents.ts'
import { offline } from '#src/offline/index.ts'
import { Button } from '#src/ui/Button.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import card from '#src/ui/ErrorCard.module.css'
import { useOpening } from './useOpening.ts'

interface PdfPageProps {
  /** As the link has it. */
  url: string
  sites: DocumentSites
  onLeave: () => void
}

/** Whether the address may be opened at all is decided before anything is asked of the network. */
export function PdfPage({ url, sites, onLeave }: PdfPageProps) {
  const verdict = documentUrl(url, sites)
  if (verdict.open)
    return <Document key={verdict.address} address={verdict.address} fileName={verdict.fileName} onLeave={onLeave} />
  return verdict.why === 'foreign' ? (
    <Card title="这个地址不属于本站，没有打开" onLeave={onLeave}>
      为了你的安全，这里只打开本站的文档。如果链接是别人发给你的，请核对来源；要看其他网站的文件，请直接在浏览器里打开它。
    </Card>
  ) : (
    <Card title="这个地址不是文档" onLeave={onLeave}>
      这里只能打开本站的 PDF 文档，链接可能不完整。请回到课程或资料页，从那里重新打开。
    </Card>
  )
}

function Document({ address, fileName, onLeave }: { address: string; fileName: string; onLeave: () => void }) {
  const { opening, cancel, again, save, fail } = useOpening(address, fileName)
  switch (opening.phase) {
    case 'loading':
      return <Loading {...opening} onCancel={cancel} />
    case 'cancelled':
      return (
        <Card title="已取消打开" onLeave={onLeave} action={{ label: '重新打开', onDo: again }}>
          文档还没有下载完。已下载的部分会保留，重新打开时接着下载。
        </Card>
      )
    case 'failed':
      return <Failed error={opening.error} onRetry={again} onSave={save} onLeave={onLeave} />
    case 'ready':
      return (
        <opening.Reader
          bytes={opening.bytes}
          address={address}
          fileName={fileName}
          owner={offline.owner}
          onLeave={onLeave}
          onFail={fail}
        />
      )
  }
}

interface LoadingProps {
  progress: Progress | null
  saving?: boolean
  onCancel: () => void
}

function Loading({ progress, saving = false, onCancel }: LoadingProps) {
  const { loaded = 0, total = 0, waiting = false } = progress ?? {}
  const known = total > 0
  const share = `${Math.floor((Math.min(loaded, total) / (total || 1)) * 100)}%`
  const doing = saving ? '正在保存文档' : '正在打开文档'
  return (
    <section className={card.card} role="status">
      {waiting && <IconCloudOff size={44} stroke={1.4} />}
      <h2 className={card.title}>
        {waiting ? `连接中断，已下载 ${known ? share : bytesText(loaded)}，自动续传` : doing}
      </h2>
      <progress aria-label="下载进度" {...(known ? { value: Math.min(loaded, total), max: total } : {})} />
      <p>
        {progress
          ? `${known ? `${share} · ` : ''}${bytesText(loaded)}${known ? ` / ${bytesText(total)}` : ''}`
          : '正在加载...'}
      </p>
      {waiting && <p>网络恢复后接着下载。已下载的部分会保留，关掉应用也还在。</p>}
      <Button look="light" onClick={onCancel}>
        取消
      </Button>
    </section>
  )
}

interface FailedProps {
  error: unknown
  onRetry: () => void
  onSave: () => void
  onLeave: () => void
}

function Failed({ error, onRetry, onSave, onLeave }: FailedProps) {
  const again = { label: '重试', onDo: onRetry }
  switch (error instanceof DocumentError ? error.why : null) {
    case 'missing':
      return (
        <Card title="文档不存在" onLeave={onLeave}>
          它可能已经更新或下架。请回到课程或资料页，从那里重新打开。
        </Card>
      )
    case 'elsewhere':
      return (
        <Card title="文档被转到了别的地址，没有打开" onLeave={onLeave}>
          为了你的安全，这里只打开本站的文档。连着公共无线网络时，请先完成它的登录，再重试。
        </Card>
      )
    case 'not-pdf':
      return (
        <Card title="收到的不是 PDF 文档" onLeave={onLeave} action={again}>
          连着公共无线网络时，请先完成它的登录，再重试。仍然打不开，就是文件本身有问题。
        </Card>
      )
    case 'too-large':
      return error instanceof DocumentError && <TooLarge error={error} onLeave={onLeave} />
    case 'stalled':
      return (
        <Card title="下载停住了" icon={<IconCloudOff size={44} stroke={1.4} />} onLeave={onLeave} action={again}>
          已有 20 秒没有收到数据，网络可能断了或太慢。换到信号好的地方再重试。
        </Card>
      )
    case 'damaged':
      return (
        <Card title="文档已损坏，打不开" onLeave={onLeave} action={again}>
          文件不完整或格式有误。重试后仍然打不开，请联系客服更换文件。
        </Card>
      )
    case 'heavy':
      return (
        <Card title="文档太复杂，已停止打开" onLeave={onLeave} action={{ label: '保存文档', onDo: onSave }}>
          它展开后太大，在网页里看会卡住手机。请保存下来，用其他阅读应用打开，也可以在电脑上看。
        </Card>
      )
    case 'locked':
      return (
        <Card
          title="这份文档有密码"
          icon={<IconLock size={44} stroke={1.4} />}
          onLeave={onLeave}
          action={{ label: '输入密码', onDo: onRetry }}
        >
          密码由文档发送者提供，输入后即可阅读。
        </Card>
      )
    case 'fault':
    case null:
      return <ErrorCard error={error} onRetry={onRetry} onLeave={onLeave} />
  }
}

function TooLarge({ error: { bytes, from }, onLeave }: { error: DocumentError; onLeave: () => void }) {
  return (
    <Card
      title={`文档太大（${bytesText(bytes)}）`}
      onLeave={onLeave}
      action={{ label: '保存文档', onDo: () => window.open(from, '_blank', 'noopener,noreferrer') }}
    >
      超过 {bytesText(LARGEST_DOCUMENT)} 的文档在网页里看容易卡死。请保存下来，用其他阅读应用打开。
    </Card>
  )
}

interface CardProps {
  title: string
  children: ReactNode
  icon?: ReactNode
  action?: { label: string; onDo: () => void }
  onLeave: () => void
}

function Card({ title, children, icon = <IconFileOff size={44} stroke={1.4} />, action, onLeave }: CardProps) {
  return (
    <section className={card.card} role="alert">
      {icon}
      <h2 className={card.title}>{title}</h2>
      <p>{children}</p>
      <div className={card.actions}>
        {action && <Button onClick={action.onDo}>{action.label}</Button>}
        <Button look={action ? 'light' : 'filled'} onClick={onLeave}>
          返回
        </Button>
      </div>
    </section>
  )
}
