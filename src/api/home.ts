import { getHomeData } from '#src/contract/home.ts'
import { query } from './query.ts'

/** Asks for what the home page shows of the direction; its exam days are of use elsewhere, too. */
export const homeQuery = () => query(getHomeData, {})
