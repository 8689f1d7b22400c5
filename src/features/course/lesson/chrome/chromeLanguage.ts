import 'media-chrome/lang/zh-CN'
import { setLanguage } from 'media-chrome/utils/i18n'

// Before the elements are defined: they speak the browser's language else, and ours is Chinese in every browser.
setLanguage('zh-CN')
