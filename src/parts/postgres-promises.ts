/** The settings of PostgreSQL that must be on for a commit to be durable. */
export const promises = ['synchronous_commit', 'fsync', 'full_page_writes'] as const
export type StorePromise = (typeof promises)[number]
