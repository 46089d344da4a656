"""A program for your class's league: python league_bot.py http://THE_SERVER YOUR_KEY"""

import json
import random
import sys
import time
from urllib.request import Request, urlopen


def choose(seen):  # returns one of your legal moves: your ideas go here
    if seen["status"] == "bidding":  # "3": you say that you'll take 3 tricks
        return random.choice(seen["legal"])
    if not seen["trick"]["plays"]:  # you lead. "1222:1-ball": you play 1222 and call 1 ball
        return random.choice(seen["legal"])
    return random.choice(seen["legal"])  # you follow. "1222": 1 ball, 2 cubes, 2 cones, 2 stars


def ask(path, token, question):
    body, headers = json.dumps(question).encode(), {"Authorization": f"Bearer {token}"}
    with urlopen(Request(server + path, body, headers), timeout=10) as answer:
        return json.loads(answer.read() or "null")


def play(table, token):
    got, sent, turn, move = 0, [], "", ""
    while True:
        news = ask(f"/ask/tables/{table}/?format=json", token, {"got": got, "messages": sent})
        got, sent = news["from"] + len(news["frames"]) if news else got, []
        for seen in map(json.loads, news["frames"] if news else []):
            if seen["type"] == "error":
                print("Refused:", move, seen["message"])  # and not sent again
            elif seen.get("status") in ("game_over", "closed"):
                return print("Points by seat:", seen["totals"], "You had seat", seen["seat"])
            elif seen.get("legal") and seen["turn"] != turn:  # none while a bot plays for you
                turn, move = seen["turn"], choose(seen)
                sent = [json.dumps({"type": "move", "turn": turn, "move": move})]
        time.sleep(0 if news else 0.2)


server, key = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
while True:
    try:
        if game := ask("/league/next/", key, {}):
            play(**game)
    except OSError as why:
        if getattr(why, "code", 0) == 404:
            sys.exit("This key isn't known. Get a new one on the league's page.")
        print(why)
    time.sleep(2)
