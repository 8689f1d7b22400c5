import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import classes from './Tools.module.css'

const KEYS = [
  ['← →', '上一题、下一题'],
  ['A–H、1–8', '选择选项'],
  ['↑ ↓ 空格', '在选项之间移动，空格选中'],
  ['↑ ↓ 在字母上', '排序题：移动这一项，Home、End 移到两头'],
  ['Enter', '确认答案，已作答时进入下一题'],
  ['Shift + A–H', '划掉或恢复选项'],
  ['S', '收藏，再按一次取消'],
  ['Shift + S', '选择收藏夹'],
  ['N', '写笔记'],
  ['Z 或 U', '撤销上一次作答'],
  ['P', '打开草稿纸'],
  ['M', '打开更多'],
  ['+ −', '放大、缩小字号'],
  ['T', '切换夜间模式'],
  ['逗号', '字号与设置'],
  ['Esc', '关闭打开的面板'],
  ['?', '查看全部快捷键'],
] as const

export function KeysSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="键盘快捷键" sheet onClose={onClose}>
      <dl className={classes.keys}>
        {KEYS.map(([key, does]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt className={common.strong}>{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
