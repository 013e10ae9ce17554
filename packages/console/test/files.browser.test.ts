import { describe, expect, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();

const report = { name: '季度报告.txt', mimeType: 'text/plain', buffer: Buffer.from('第三季度收入增长了百分之十二。') };

describe('files', () => {
  test('are chosen with the button, uploaded at once, sent with the message, and still shown after a reload', async () => {
    const { page } = await visit(server.url, { userId: 'clerk' });
    await page.locator('input[type=file]').setInputFiles(report);
    await page.getByRole('button', { name: '移除 季度报告.txt' }).waitFor();
    await say(page, '总结一下这个文件');
    await answers(page).first().waitFor();
    await page.getByRole('article', { name: '你' }).getByText('季度报告.txt').waitFor();
    await page.reload();
    await page.getByRole('article', { name: '你' }).getByText('季度报告.txt').waitFor();
  });

  test('are pasted and dropped', async () => {
    const { page } = await visit(server.url, { userId: 'clerk', language: 'en' });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      const give = (name: string) => {
        const data = new DataTransfer();
        data.items.add(new File(['name,amount\na,1\n'], name, { type: 'text/csv' }));
        return data;
      };
      const field = document.querySelector('textarea');
      field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: give('pasted.csv'), bubbles: true }));
      window.dispatchEvent(
        new DragEvent('drop', { dataTransfer: give('dropped.csv'), bubbles: true, cancelable: true }),
      );
    });
    await page.getByRole('button', { name: 'Remove pasted.csv' }).waitFor();
    await page.getByRole('button', { name: 'Remove dropped.csv' }).click();
    await expect.poll(() => page.getByText('dropped.csv').count()).toBe(0);
    expect(await page.getByText('pasted.csv').count()).toBe(1);
  });

  test('that the server refuses are said to be refused, and why', async () => {
    const { page } = await visit(server.url, { userId: 'clerk', language: 'en' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ\0\0') });
    await page.getByText(/tool\.exe could not be uploaded/).waitFor();
    expect(await page.getByRole('button', { name: 'Remove tool.exe' }).count()).toBe(0);
  });
});
