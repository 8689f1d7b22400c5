/** By itself, because the address of the list is read by the first file, where every byte counts. */
export const COURSE_KINDS = ['video', 'audio'] as const
