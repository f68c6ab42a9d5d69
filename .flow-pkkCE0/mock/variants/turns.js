function turnKey({ turns }, username, userId) {
  return turns === "by-login" ? `login ${username}` : `user ${userId}`;
}
export {
  turnKey
};
