/** One page of a list as {@link readAll} wants it. */
export interface WholeListPage<T> {
  readonly items: readonly T[]
  readonly total_pages: number
}

/** The largest page that the API gives. */
export const largestPage = 100

const mostPages = 100

/** Reads a list to its end, for what is sorted and searched here: people, tags. */
export async function readAll<T>(read: (page: number) => Promise<WholeListPage<T>>): Promise<T[]> {
  const { items, total_pages } = await read(1)
  const rest = Array.from({ length: Math.min(total_pages, mostPages) - 1 }, (_, index) => read(index + 2))
  return [...items, ...(await Promise.all(rest)).flatMap((page) => page.items)]
}
