/** What a copy of the files needs besides them, to be a whole database. */
export interface BackupEnd {
  /** Goes beside the files under this name: the server that starts on them knows what they are. */
  readonly label: { readonly name: 'backup_label'; readonly text: string }
  /** Names of the first and the last segment of the write-ahead log that belong to it. */
  readonly firstSegment: string
  readonly lastSegment: string
}

/**
 * A running database while its files are copied. One connection for all of it: where that is lost,
 * `end` throws, and there is no backup.
 */
export interface StoreBackup {
  /**
   * From here on files may be copied one after the other, however they change meanwhile, and the
   * event log is not trimmed: it keeps whatever the copy has not measured.
   */
  begin(): Promise<void>
  /** After the last file but those of the write-ahead log, which are there until `close`. */
  end(): Promise<BackupEnd>
  /** The log may be trimmed again. */
  close(): Promise<void>
}

/** Whether somebody copies the store and the log just now. */
export interface LogHold {
  held(): Promise<boolean>
}
