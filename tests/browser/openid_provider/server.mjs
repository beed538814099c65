// A real OpenID provider with its own pages: node server.mjs PORT CLIENT_ID CLIENT_SECRET SERVICE_URL
// Whoever signs in is known by the name that they enter, and is in the groups of that name below.

import Provider from "oidc-provider";

const [port, clientId, clientSecret, service] = process.argv.slice(2);
const GROUPS = { ann: ["contracts"], bob: ["reports"], cho: [] };
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [{
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${service}/sign-in/callback`],
    post_logout_redirect_uris: [`${service}/signed-out`],
  }],
  claims: { profile: ["name"], groups: ["groups"] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: `${id[0].toUpperCase()}${id.slice(1)} of the harbour`, groups: GROUPS[id] ?? [] }),
  }),
  pkce: { required: () => true },
  cookies: { keys: ["a key for these tests alone"] },
});

provider.listen(Number(port), "127.0.0.1");
