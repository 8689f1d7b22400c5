/** The rule by which questions leave the error book. */
export const ruleText = (rule: number): string => (rule === 0 ? '手动移出' : `再答对 ${rule} 次自动移出`)
