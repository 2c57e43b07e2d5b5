// The policy of embed.html. It names the host instead of 'self', which matches nothing in a sandboxed frame in WebKit.
{
  const host = location.origin;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `default-src 'none'; script-src ${host} 'wasm-unsafe-eval'; style-src ${host}; img-src ${host}; connect-src ${host}; worker-src ${host}; form-action 'none'`;
  document.head.append(policy);
}
