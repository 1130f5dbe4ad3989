// Prints the error of each failure after all tests, so that the end of a log is enough to see what failed.

import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const LINES_MAX = 12;

export default class FailureSummary implements Reporter {
  private readonly failures: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === 'skipped') return;
    const [, project, ...titles] = test.titlePath();
    const errors = result.errors.map(({ message = '' }) => stripVTControlCharacters(message).split('\n').slice(0, LINES_MAX));
    const lines = errors.flat().filter((line) => line.trim() !== '');
    this.failures.push([`FAILED [${project}] ${titles.join(' › ')}`, ...lines].join('\n    '));
  }

  // Called after the same method of the reporters before it.
  onEnd(): void {
    for (const failure of this.failures) console.log(`\n${failure}`);
  }
}
