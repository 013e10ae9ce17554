import readXlsxFile from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { type TableRow, toCsv, toXlsx } from './table-files.ts';

const rows: TableRow[] = [
  { 姓名: '张三', amount: 12.5, paid: true },
  { 姓名: '李四 "Leo", Jr.', amount: -3, note: '=HYPERLINK("http://evil")' },
];

test('a CSV opens in Excel with its Chinese, its quotes, and no formula of somebody else', () => {
  expect(toCsv(rows).toString()).toBe(
    '\ufeff姓名,amount,paid,note\r\n张三,12.5,true,\r\n"李四 ""Leo"", Jr.",-3,,"\'=HYPERLINK(""http://evil"")"\r\n',
  );
});

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '＝1+1', ' =1+1', "-2+3+cmd|' /C calc'!A0"])(
  '%j in a cell stays text',
  (text) => {
    expect(toCsv([{ a: text }]).toString()).toMatch(/^\ufeffa\r\n"?'/);
  },
);

test.each(['-5', '+3.25', '-12,000', '-4%', 'a=b', 'x@y.org'])('%j in a cell is left alone', (text) => {
  expect(toCsv([{ a: text }]).toString()).not.toContain("'");
});

test('a column that is named like a formula stays text too', () => {
  expect(toCsv([{ '=cmd()': 1 }]).toString()).toContain("'=cmd()");
});

test('a workbook gives back the values that went in, formulas as text', async () => {
  const [sheet] = await readXlsxFile(await toXlsx(rows));
  expect(sheet?.data).toEqual([
    ['姓名', 'amount', 'paid', 'note'],
    ['张三', 12.5, true, null],
    ['李四 "Leo", Jr.', -3, null, '=HYPERLINK("http://evil")'],
  ]);
});

test('a workbook takes what XML cannot hold', async () => {
  const [sheet] = await readXlsxFile(await toXlsx([{ a: 'x\0\u0001y\ud800', b: Number.NaN }]));
  expect(sheet?.data[1]?.[0]).toBe('xy');
});
