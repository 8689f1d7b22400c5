/** What students upload. */
export interface UploadTables {
  /** What the keys of a student's files begin with. */
  upload_prefix: { uid: string; prefix: string }
  /** Files of the embedded bucket. `file`: its name on the disk; `upload_id`: the parts it was made of. */
  bucket_object: {
    key: string
    uid: string
    file: string
    size: number
    type: string
    etag: string
    upload_id: string | null
    at: number
  }
  bucket_upload: { id: string; uid: string; key: string; at: number }
  bucket_part: { upload_id: string; part: number; file: string; size: number; etag: string }
}
