import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { NewOrderRequest } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { renderDryRun, renderOrder } from './render-orders.ts';

interface ConvertOptions {
  from: string;
  to: string;
  sell?: string;
  buy?: string;
  limitPrice?: string;
  limitPriceInverse?: string;
  maxCostBps?: string;
  cap?: string;
  expires?: string;
  account?: string;
  idempotencyKey?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function addConvertCommand(treasury: Command, io: CommandIo): void {
  treasury
    .command('convert')
    .description(
      'place an order to convert money of one balance into another currency; another person may have to approve it',
    )
    .requiredOption('--from <currency>', 'the currency that is sold')
    .requiredOption('--to <currency>', 'the currency that is bought')
    .option('--sell <amount>', 'sell this amount')
    .option('--buy <amount>', 'buy this amount; needs a limit price or --cap')
    .option('--limit-price <price>', 'buy at least so much for one unit sold, with the fees')
    .option('--limit-price-inverse <price>', 'sell at most so much for one unit bought, with the fees')
    .option('--max-cost-bps <basis points>', 'at most so much worse than the reference price')
    .option('--cap <amount>', 'sell at most this, with the fees')
    .option(
      '--expires <time>',
      'nothing is created after it: 2026-01-31T16:00:00Z, or 4h, 2d from now (default: 1d)',
      expiry,
    )
    .option('--account <name>', 'the account with the provider')
    .option('--idempotency-key <key>', 'the same order under the same key is placed once')
    .option('--dry-run', 'show the quote, its cost, and what each guard would say; nothing is committed')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun treasury convert --from USD --to EUR --sell 1000.00 --max-cost-bps 50',
        'payrun treasury convert --from USD --to EUR --sell 1000.00 --dry-run',
        'payrun treasury convert --from USD --to GBP --buy 500.00 --limit-price-inverse 1.35',
      ),
    )
    .action(async (options: ConvertOptions) => {
      const order = orderOf(options);
      const client = await connectToChange(io);
      if (options.dryRun === true) {
        const dryRun = await client.dryRunOrder(order);
        return options.json === true ? writeJson(io, dryRun) : writeLine(io.stdout, renderDryRun(dryRun));
      }
      const headers = { 'idempotency-key': options.idempotencyKey ?? randomUUID() };
      const placed = await client.placeOrder(order, { headers });
      if (options.json === true) return writeJson(io, placed);
      await writeLine(io.stdout, renderOrder(placed));
    });
}

/** Throws WrongInput for options that do not fit together. The server checks the values. */
function orderOf(options: ConvertOptions): NewOrderRequest {
  const { from, to, sell, buy, limitPrice, limitPriceInverse, maxCostBps, cap, expires, account } = options;
  if ((sell === undefined) === (buy === undefined)) throw new WrongInput('give exactly one of --sell and --buy');
  if (limitPrice !== undefined && limitPriceInverse !== undefined) {
    throw new WrongInput('give one of --limit-price and --limit-price-inverse');
  }
  const limit =
    limitPrice !== undefined
      ? { buyPerSellAtLeast: limitPrice }
      : limitPriceInverse !== undefined
        ? { sellPerBuyAtMost: limitPriceInverse }
        : null;
  if (buy !== undefined && limit === null && cap === undefined) {
    throw new WrongInput('--buy needs --limit-price, --limit-price-inverse or --cap: nothing else bounds what is sold');
  }
  return {
    sellCurrency: from.toUpperCase(),
    buyCurrency: to.toUpperCase(),
    fixedSide: sell === undefined ? 'buy' : 'sell',
    amount: sell ?? buy ?? '',
    limitPrice: limit,
    maxCostBps: maxCostBps ?? null,
    cap: cap ?? null,
    expiresAt: expires ?? null,
    account: account ?? null,
  };
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time, or a duration from now. */
function expiry(text: string): string {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (number !== undefined) {
    return new Date(Date.now() + Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]).toISOString();
  }
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/^\d{4}-\d{2}-\d{2}T/.test(text)) {
    throw new InvalidArgumentError('give a time as 2026-01-31T16:00:00Z, or a duration as 30m, 4h or 2d');
  }
  return new Date(time).toISOString();
}
