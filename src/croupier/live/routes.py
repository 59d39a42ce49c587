"""The paths of the HTTP API, with what each takes and answers; OpenAPI is made from this list."""

from __future__ import annotations

from croupier.live import account_api, api, health_api, link_api, log_in_api, rulebook_api, wire
from croupier.live import api_records as records
from croupier.live.deal_api import DEAL_PATHS
from croupier.live.desk_routes import DESK_PATHS
from croupier.live.disputes import DISPUTE_PATHS
from croupier.live.figures_api import FIGURES_PATHS
from croupier.live.guest_routes import GUEST_PATHS
from croupier.live.guide import GUIDE_PATHS
from croupier.live.my_hands import HANDS_PATHS
from croupier.live.office_routes import OFFICE_PATHS
from croupier.live.own_limits import LIMIT_PATHS
from croupier.live.paths import Path
from croupier.live.pit_routes import PIT_PATHS
from croupier.live.replay_api import REPLAY_PATHS
from croupier.live.school_api import SCHOOL_PATHS
from croupier.live.seals import SEAL_PATHS
from croupier.live.staff_routes import STAFF_PATHS
from croupier.live.talk import TALK_PATHS
from croupier.live.wall import WALL_PATHS
from croupier.live.wish_routes import WISH_PATHS

_COMMAND_ANSWERS = {
    409: wire.RefusedMessage,
    403: wire.ErrorMessage,
    422: wire.ErrorMessage,
    503: wire.ErrorMessage,
}

PATHS: tuple[Path, ...] = (
    Path(path="/api/me", does=account_api.me, answers=records.Me),
    Path(
        path="/api/enter",
        method="POST",
        does=account_api.enter,
        takes=records.EnterBody,
        answers=records.Me,
    ),
    Path(
        path="/api/login",
        method="POST",
        does=log_in_api.login,
        takes=records.LoginBody,
        answers=records.Me,
        others={403: records.SecondFactorNeeded},
    ),
    Path(path="/api/exit", method="POST", does=account_api.leave, answers=records.Me),
    Path(path="/api/refill", method="POST", does=account_api.refill, answers=records.Me),
    Path(path="/api/lobby", does=api.lobby, answers=records.Lobby),
    Path(path="/api/tables/{place}", does=api.table, answers=records.TableDetails),
    Path(path="/api/tables/{place}/view", does=api.view, answers=wire.ViewMessage),
    Path(path="/api/tables/{place}/first", does=api.first, answers=wire.FirstMessages),
    Path(
        path="/api/tables/{place}/commands",
        method="POST",
        does=api.command,
        takes=wire.GivenCommand,
        answers=wire.AnswerMessage,
        others=_COMMAND_ANSWERS,
    ),
    Path(path="/api/tables/{place}/rounds", does=api.rounds, answers=records.RoundsRecalled),
    Path(
        path="/api/tables/{place}/rounds/{round:int}",
        does=api.round_of,
        answers=records.RoundRecalled,
    ),
    Path(
        path="/api/tables/{place}/rounds/{round:int}/shuffles",
        does=api.shuffles_of,
        answers=records.RoundShuffles,
    ),
    Path(path="/api/tables/{place}/shuffle", does=api.shuffle, answers=wire.ShuffleMessage),
    Path(path="/api/links", does=link_api.links, answers=records.Links),
    Path(path="/api/links/{link}", does=link_api.link, answers=records.LinkDetails),
    Path(
        path="/api/links/{link}/commands",
        method="POST",
        does=link_api.link_command,
        takes=wire.GivenCommand,
        answers=wire.LinkAnswerMessage,
        others=_COMMAND_ANSWERS,
    ),
    Path(path="/api/rulebooks", does=rulebook_api.books, answers=records.Books),
    Path(path="/api/rulebooks/{book}", does=rulebook_api.book, answers=records.BookDetails),
    Path(
        path="/api/rulebooks/{book}/paragraphs/{paragraph}",
        does=rulebook_api.paragraph,
        answers=records.ParagraphDetails,
    ),
    Path(path="/api/reports/tables", does=api.reports, answers=records.TableReports),
    *WALL_PATHS,
    *TALK_PATHS,
    *HANDS_PATHS,
    *WISH_PATHS,
    *GUIDE_PATHS,
    *GUEST_PATHS,
    *LIMIT_PATHS,
    *STAFF_PATHS,
    *OFFICE_PATHS,
    *FIGURES_PATHS,
    *PIT_PATHS,
    *DEAL_PATHS,
    *SEAL_PATHS,
    *DISPUTE_PATHS,
    *REPLAY_PATHS,
    *SCHOOL_PATHS,
    *DESK_PATHS,
    Path(
        path="/health", does=health_api.health, answers=records.Health, others={503: records.Health}
    ),
)
