/** What PostgreSQL must do for a commit to last, each a setting that can be off. */
export const promises = ['synchronous_commit', 'fsync', 'full_page_writes'] as const
export type StorePromise = (typeof promises)[number]
