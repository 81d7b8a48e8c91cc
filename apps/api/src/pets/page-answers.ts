import { Injectable } from '@nestjs/common';
import type { SerializedPage } from '@animal-store/kernel';
import type { PetPageQuery } from '@animal-store/pets-domain';
import { Answer } from '@animal-store/http';
import { PageCursors } from './page-cursors.js';

/** Makes the answers of listPets. Requests that share a page share its answer, with its link and its entity tag. */
@Injectable()
export class PageAnswers {
  private readonly answers = new WeakMap<SerializedPage, Answer | Promise<Answer>>();

  constructor(private readonly cursors: PageCursors) {}

  /** @param query the one that the page answers; a page belongs to one filter and one limit */
  answer(page: SerializedPage, query: PetPageQuery): Answer | Promise<Answer> {
    let answer = this.answers.get(page);
    if (answer === undefined) {
      answer = this.make(page, query);
      this.answers.set(page, answer);
    }
    return answer;
  }

  private make({ text, nextAfterId }: SerializedPage, { limit, status }: PetPageQuery): Answer | Promise<Answer> {
    if (nextAfterId === undefined) return Answer.rendered(text);
    return this.cursors.encode(nextAfterId, status).then((cursor) => {
      const query = new URLSearchParams({ limit: String(limit), ...(status && { status }), cursor });
      return Answer.rendered(text, 'Link', `</v1/pets?${query.toString()}>; rel="next"`);
    });
  }
}
