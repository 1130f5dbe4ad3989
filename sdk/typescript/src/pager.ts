// Lists, which the service returns in pages.

import { GovernError } from './errors.js';
import type { Query } from './transport.js';

type PageOf<Item> = { items: Item[]; next_cursor?: string | null } | { items: Item[]; total: number; offset: number };

/**
 * A list. `for await` iterates over all items and requests each page when it is needed. `page()` returns the
 * first page only.
 */
export class Pager<Item, Page extends PageOf<Item> = PageOf<Item>> implements AsyncIterable<Item> {
  constructor(private readonly load: (position: Query) => Promise<Page>) {}

  /** Returns the first page. */
  page(): Promise<Page> {
    return this.load({});
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    let position: Query | undefined = {};
    while (position) {
      const page: Page = await this.load(position);
      yield page;
      position = nextPosition(page);
      // Otherwise the iteration would not end.
      const key = JSON.stringify(position);
      if (seen.has(key)) throw new GovernError('the service repeats a page of the list');
      seen.add(key);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }
}

function nextPosition(page: PageOf<unknown>): Query | undefined {
  if (!('total' in page)) return page.next_cursor == null ? undefined : { cursor: page.next_cursor };
  const offset = page.offset + page.items.length;
  return page.items.length > 0 && offset < page.total ? { offset } : undefined;
}
