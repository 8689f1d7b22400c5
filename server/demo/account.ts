/** The student of the demo, whose password stands in the README for everybody to read. */
export const DEMO_MOBILE = '13800000001'
export const DEMO_PASSWORD = 'lijian2026'
