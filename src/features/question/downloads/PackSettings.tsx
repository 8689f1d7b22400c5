import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { bytesText } from '#src/domain/text/bytes.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { usePacks } from '#src/offline/usePacks.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Setting } from '#src/ui/Setting.tsx'
import classes from './PackSettings.module.css'
import { followPacks, removePack, takenBy } from './packView.ts'

/** 存储空间: what downloaded libraries take, and what may be fetched over which network. */
export function PackSettings() {
  const { rows } = usePacks()
  useEffect(followPacks, [])
  const packs = [...(rows?.values() ?? [])].filter(({ ready }) => ready)
  return (
    <section className={common.panel} aria-labelledby="storage">
      <h2 id="storage" className={common.subheading}>
        存储空间
      </h2>
      <Used key={packs.length} />
      <KeptSetting
        label="仅 Wi-Fi 下载"
        hint="使用移动数据时先询问，不自动下载离线包和课时"
        initial={packSettings.wifiOnly()}
        onChange={packSettings.setWifiOnly}
      />
      <KeptSetting
        label="省流模式"
        hint="题目图片点按后才加载，离线包不含图片和录音"
        initial={packSettings.saver()}
        onChange={packSettings.setSaver}
      />
      {packs.length === 0 && <p className={common.note}>还没有离线包，可以在题库页下载。</p>}
      <ul className={classes.list}>
        {packs.map((row) => (
          <li key={row.libraryNo} className={clsx(common.row, classes.pack)}>
            <span className={common.grow}>{row.title}</span>
            <small className={clsx(common.caption, common.figures)}>占用 {bytesText(takenBy(row))}</small>
            <Button look="quiet" tone="plain" aria-label={`移除 ${row.title}`} onClick={() => void removePack(row)}>
              移除
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As the browser counts it; nothing where it does not say. */
function Used() {
  const [used, setUsed] = useState<number | null>(null)
  useEffect(() => {
    void navigator.storage?.estimate?.().then(
      ({ usage }) => setUsed(usage ?? null),
      () => {},
    )
  }, [])
  return used !== null && <p className={common.note}>本应用在这台设备上共占用约 {bytesText(used)}。</p>
}

interface KeptSettingProps {
  label: string
  hint: string
  initial: boolean
  onChange: (on: boolean) => void
}

function KeptSetting({ initial, onChange, ...words }: KeptSettingProps) {
  const [on, setOn] = useState(initial)
  const change = (next: boolean) => {
    setOn(next)
    onChange(next)
  }
  return <Setting {...words} checked={on} onChange={change} />
}
