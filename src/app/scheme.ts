import { localStorageColorSchemeManager } from '@mantine/core'

/** The same key that index.html reads before the first paint. */
export const schemeManager = localStorageColorSchemeManager({ key: 'jk-scheme' })
