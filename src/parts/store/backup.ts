/** What the copied files need besides, to make a whole database. */
export interface BackupEnd {
  /**
   * Goes beside the files under this name, so that the server that starts on them knows what they
   * are.
   */
  readonly label: { readonly name: 'backup_label'; readonly text: string }
  /** Names of the first and the last segment of the write-ahead log that belong to the copy. */
  readonly firstSegment: string
  readonly lastSegment: string
}

/**
 * A running database while its files are copied. All of it is one connection: where that is lost,
 * `end` throws, and there is no backup.
 */
export interface StoreBackup {
  /**
   * After this, files may be copied one after the other, however they change meanwhile; and the
   * event log is not trimmed, so that it keeps whatever the copy has not measured.
   */
  begin(): Promise<void>
  /** Called after the last file, except those of the write-ahead log, which stay until `close`. */
  end(): Promise<BackupEnd>
  /** Ends the backup: the event log may be trimmed again. */
  close(): Promise<void>
}

/** Whether a copy of the store and the log is being made. */
export interface LogHold {
  held(): Promise<boolean>
}
